import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { allParts, generateKeyRing, generateReceiptKeyRing, silentLogger, systemRandom } from '@countersign/core'
import { createTestUser, testPassword, wireTransferDefinition } from '@countersign/core/testing'
import { createDatabaseDirectory } from '../../../../tools/testing/create-database-directory.ts'
import { freePort } from '../../../../tools/testing/free-port.ts'
import { openCountersign } from '../../../server/src/compose.ts'
import { readConfig } from '../../../server/src/config/read-config.ts'
import { type ServerProcess, startServerProcess } from '../../../server/src/testing/server-process.ts'
import { type StaticHost, startStaticHost } from './static-host.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
}

export interface Asked {
  readonly actionType: string
  readonly actionPayload: object
  readonly numberMatching?: boolean
}

/** A server with the page at `/playground` and its own database, reachable by a browser on this machine. */
export interface PlaygroundServer {
  /** The only origin whose passkeys the server accepts. */
  readonly origin: string
  /** The origins of the server and its siblings. Any other request of a page goes outside. */
  readonly origins: readonly string[]
  createUser(permissions?: readonly string[]): Promise<Credentials & { readonly id: number }>
  /** Registers the wire transfer as an action type. */
  registerWireTransfer(): Promise<void>
  /** Asks a user to approve an action, as a host does. Resolves with the number to type, if the action asks for one. */
  ask(userId: number, action: Asked): Promise<{ readonly matchNumber: string | null }>
  /** Asks a user to approve an action for somebody, as a service does. */
  askAsService(
    userId: number,
    asked: { readonly onBehalfOf: string; readonly tenant: string; readonly context: Readonly<Record<string, string>> },
  ): Promise<void>
  /** Starts a request of a user for the approval of anybody who has the permission `order.approve`. Resolves with its id. */
  askSeveral(userId: number): Promise<string>
  /** Starts another server on the same database that accepts passkeys of the same origin only. @returns its own origin */
  startTwin(env?: Readonly<Record<string, string>>): Promise<string>
  /** Starts another server on the same database, and a static file server whose page at `/approve/` calls this server. */
  startStaticPage(
    settings: object,
    env: Readonly<Record<string, string>>,
  ): Promise<{ readonly page: string; readonly service: string; readonly host: StaticHost }>
  /** Issues a code that makes one new device or passkey of the user trusted. */
  enrolmentCode(email: string): Promise<string>
  /** Issues a code that sets a new password of the user. */
  resetCode(email: string): Promise<string>
  /** Locks, unlocks, disables or enables a user, as an administrator does. */
  change(how: 'lock' | 'unlock' | 'disable' | 'enable', email: string): Promise<void>
  /** Returns the log of its processes. */
  logged(): ServerProcess['lines']
  /** Ends the servers and hosts that were started besides the first server. */
  closeFurther(): Promise<void>
  close(): Promise<void>
}

/** A domain name for this machine, because passkeys need one. */
const originAt = (port: number): string => `http://localhost:${port}`

export const startPlaygroundServer = async (): Promise<PlaygroundServer> => {
  const directory = createDatabaseDirectory('countersign-browser-')
  const port = await freePort()
  const origin = originAt(port)
  const env = {
    COUNTERSIGN_DATABASE_URL: `sqlite:${join(directory, 'countersign.db')}`,
    COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom),
    COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom),
    COUNTERSIGN_RECEIPT_KEYS: generateReceiptKeyRing(),
    COUNTERSIGN_RECEIPT_ISSUER: origin,
    COUNTERSIGN_ORIGINS: origin,
    COUNTERSIGN_RATE_LIMITS: 'off',
  }
  const origins: string[] = []
  const processes: ServerProcess[] = []
  const hosts: StaticHost[] = []
  const start = async (at: number, further: Readonly<Record<string, string>> = {}): Promise<string> => {
    processes.push(await startServerProcess({ cwd: directory, env: { ...env, COUNTERSIGN_PORT: String(at), ...further } }))
    origins.push(originAt(at), `http://127.0.0.1:${at}`)
    return originAt(at)
  }
  const end = async (all: readonly ServerProcess[]): Promise<void> => {
    for (const { kill } of all) kill('SIGTERM')
    await Promise.all(all.map(({ exited }) => exited))
  }
  const closeFurther = async (): Promise<void> => {
    for (const host of hosts.splice(0)) host.close()
    await end(processes.splice(1))
  }
  await start(port)
  const core = await openCountersign(readConfig(env), { logger: silentLogger, parts: allParts })
  return {
    origin,
    origins,
    createUser: async (permissions = []) => {
      const { id, email } = await createTestUser(core, { permissions })
      return { id, email, password: testPassword }
    },
    registerWireTransfer: async () => {
      const definitionText = JSON.stringify(wireTransferDefinition)
      await core.countersign.actionTypes.register({ type: 'wire_transfer', version: '1.0.0', definitionText })
    },
    ask: async (userId, action) => {
      return core.countersign.confirmations.initiate({ caller: { userId }, ...action } as never)
    },
    askAsService: async (userId, asked) => {
      const service = { name: 'billing', scopes: ['confirmation.initiate:payment_approval'] }
      const actionPayload = { amount: '12.50', currency: 'EUR', recipient: 'Ada' }
      await core.countersign.services.initiate({ userId, actionType: 'payment_approval', actionPayload, service, ...asked })
    },
    askSeveral: async (userId) => {
      const groups = [{ permission: 'order.approve', count: 1 }]
      await core.countersign.actionPolicies.set({ actionType: 'purchase_order', bands: [{ groups }] } as never)
      const actionPayload = { amount: 10, supplier: 'ACME GmbH', items: ['Paper'] }
      const asked = { caller: { userId }, actionType: 'purchase_order', actionPayload } as const
      return (await core.countersign.approvalRequests.start(asked)).id
    },
    startTwin: async (further) => start(await freePort(), further),
    startStaticPage: async (settings, further) => {
      const at = await freePort()
      const page = originAt(at)
      const twin = await start(await freePort(), { COUNTERSIGN_CORS_ORIGINS: page, COUNTERSIGN_ORIGINS: page, ...further })
      const host = await startStaticHost(at, { ...settings, server: twin })
      hosts.push(host)
      origins.push(page)
      return { page: `${page}/bank/`, service: twin, host }
    },
    enrolmentCode: async (email) => (await core.countersign.users.enrol({ email })).code,
    resetCode: async (email) => (await core.countersign.users.resetPassword({ email })).code,
    change: async (how, email) => {
      await core.countersign.users[how]({ email })
    },
    logged: () => processes.flatMap(({ lines }) => lines),
    closeFurther,
    close: async () => {
      await core.close()
      await closeFurther()
      await end(processes)
      rmSync(directory, { recursive: true })
    },
  }
}
