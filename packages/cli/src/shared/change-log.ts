import { closeSync, openSync, writeSync } from 'node:fs'
import { userInfo } from 'node:os'
import type { Countersign, Logger } from '@countersign/core'
import type { MountableCountersign } from '@countersign/server'
import type { CommandContext } from './command-context.ts'
import { CommandFailed } from './failures.ts'
import { printable } from './output.ts'

type Fields = Readonly<Record<string, unknown>>

/** The log line of a change. Fields contain ids and words, never secrets or personal data. */
interface Change {
  readonly event: string
  readonly fields?: (result: Fields, input: Fields) => Fields
}

const ofUser = ({ id }: Fields) => ({ userId: id })
const ofDevice = ({ id, userId }: Fields) => ({ deviceId: id, userId })
const ofPasskey = ({ id, userId }: Fields) => ({ passkeyId: id, userId })
const ofEntry = ({ key }: Fields) => ({ key })
const ofProject = (_: Fields, { uniqueCode }: Fields) => ({ uniqueCode })
const counts = (result: Fields | undefined) =>
  Object.fromEntries(Object.entries(result ?? {}).filter(([, value]) => typeof value === 'number'))

/** The core writes these lines itself, as it does in a server. */
const ofCore = [
  'account_locked',
  'account_unlocked',
  'user_deleted',
  'permissions_granted',
  'permission_delegated',
  'delegation_ended',
  'permissions_revoked',
  'one_time_code_issued',
  'receipt_key_published',
  'receipt_key_retired',
  'receipt_key_revoked',
  'action_policy_set',
  'action_policy_removed',
  'recovered_after_restore',
]

/** The use cases of commands that change something, by their names in `Countersign`. */
const changes: { readonly [N in keyof Countersign]?: { readonly [U in keyof Countersign[N]]?: Change } } = {
  users: {
    create: { event: 'user_created', fields: ofUser },
    import: { event: 'users_imported', fields: counts },
    update: { event: 'user_updated', fields: ofUser },
    disable: { event: 'user_disabled', fields: ofUser },
    enable: { event: 'user_enabled', fields: ofUser },
    setPassword: { event: 'password_set', fields: ofUser },
  },
  sessions: { revoke: { event: 'session_revoked', fields: ({ id, userId }) => ({ sessionId: id, userId }) } },
  devices: { trust: { event: 'device_trusted', fields: ofDevice }, revoke: { event: 'device_revoked', fields: ofDevice } },
  passkeys: { trust: { event: 'passkey_trusted', fields: ofPasskey }, revoke: { event: 'passkey_revoked', fields: ofPasskey } },
  serviceTokens: {
    issue: { event: 'service_token_issued', fields: ({ id }, { service, scopes }) => ({ id, service, scopes }) },
    revoke: { event: 'service_token_revoked', fields: ({ id, service }) => ({ id, service }) },
  },
  actionTypes: {
    register: { event: 'action_type_registered', fields: ofEntry },
    activate: { event: 'action_type_activated', fields: ofEntry },
    deactivate: { event: 'action_type_deactivated', fields: ofEntry },
  },
  confirmations: { archive: { event: 'confirmations_archived', fields: counts } },
  customers: { create: { event: 'customer_created', fields: ({ id }) => ({ customerId: id }) } },
  projects: {
    approve: { event: 'project_approved', fields: ofProject },
    remove: { event: 'project_deleted', fields: ofProject },
  },
  productSchemas: {
    register: { event: 'product_schema_registered', fields: ofEntry },
    activate: { event: 'product_schema_activated', fields: ofEntry },
    deactivate: { event: 'product_schema_deactivated', fields: ofEntry },
  },
  resources: { import: { event: 'resources_imported', fields: counts } },
  expenses: { import: { event: 'expenses_imported', fields: counts } },
}

const osUser = (): string => {
  try {
    return userInfo().username
  } catch {
    // A container may run a user without an entry in /etc/passwd.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Returns the sentence about a change that a person reads on a terminal: `User created: userId 1, osUser root.` */
const sentenceOf = (event: string, fields: Fields): string => {
  const [first = '', ...rest] = event.replaceAll('_', ' ')
  const facts = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(' ') : String(value)}`)
  return printable(`${first.toUpperCase()}${rest.join('')}: ${facts.join(', ')}.`)
}

/** The log of a command: the lines that a server would write about its changes, with the user of the operating system. */
export interface ChangeLog extends Pick<Logger, 'info'> {
  /** The logger of the core, which drops every line that is not about a change. */
  readonly ofCore: Logger
  close(): void
}

/**
 * Opens the log of a command before anything changes: the file of COUNTERSIGN_LOG_FILE, or standard error, where a person on a
 * terminal reads sentences. @throws CommandFailed if the file cannot be opened
 */
export const openChangeLog = async ({ env, stderr }: Pick<CommandContext, 'env' | 'stderr'>): Promise<ChangeLog> => {
  const { createLogger, failureReason } = await import('@countersign/server')
  const path = env.COUNTERSIGN_LOG_FILE
  let file: number | undefined
  try {
    // The lines name people by their ids.
    if (path !== undefined && path !== '') file = openSync(path, 'a', 0o600)
  } catch (cause) {
    const why = `nothing was changed, because the file cannot be opened: ${failureReason(cause)}`
    throw new CommandFailed(`COUNTERSIGN_LOG_FILE: ${why}`, { cause })
  }
  const say = (event: string, fields?: Fields) => void stderr.write(`${sentenceOf(event, fields ?? {})}\n`)
  const isForPerson = file === undefined && stderr.isTTY === true
  const lines: Pick<Logger, 'info' | 'warn'> = isForPerson
    ? { info: say, warn: say }
    : createLogger('info', { write: (line) => void (file === undefined ? stderr.write(line) : writeSync(file, line)) })
  const by = { osUser: osUser() }
  const written =
    (level: 'info' | 'warn') =>
    (event: string, fields: Fields = {}) => {
      if (ofCore.includes(event)) lines[level](event, { ...fields, ...by })
    }
  return {
    info: (event, fields = {}) => lines.info(event, { ...fields, ...by }),
    ofCore: { debug: () => {}, info: written('info'), warn: written('warn'), error: () => {} },
    close: () => {
      if (file !== undefined) closeSync(file)
    },
  }
}

type UseCase = (...args: readonly Fields[]) => Promise<Fields>
type UseCases = Readonly<Record<string, Readonly<Record<string, UseCase>>>>

/** Returns the use cases. Each successful change of them writes its line. */
export const withChangeLog = (countersign: MountableCountersign, log: Pick<ChangeLog, 'info'>): MountableCountersign => {
  const all = countersign as unknown as UseCases
  const logging = (run: UseCase | undefined, { event, fields = () => ({}) }: Change): UseCase => {
    return async (...args) => {
      const result = await (run as UseCase)(...args)
      log.info(event, fields(result, args[0] ?? {}))
      return result
    }
  }
  const present = Object.entries(changes).filter(([noun]) => all[noun] !== undefined)
  const groups = present.map(([noun, ofNoun]) => {
    const logged = Object.entries(ofNoun).map(([name, change]) => [name, logging(all[noun]?.[name], change)] as const)
    return [noun, { ...all[noun], ...Object.fromEntries(logged) }]
  })
  const sweep: Countersign['sweep'] = async (onSwept) => {
    const rows: Record<string, number> = {}
    try {
      return await countersign.sweep((kind, count) => {
        rows[kind] = (rows[kind] ?? 0) + count
        onSwept?.(kind, count)
      })
    } finally {
      log.info('swept', { rows: Object.values(rows).reduce((sum, count) => sum + count, 0), ...rows })
    }
  }
  return { ...countersign, ...Object.fromEntries(groups), sweep } as MountableCountersign
}
