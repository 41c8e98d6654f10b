import type { Recovery } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import type { CommandContext } from '../shared/command-context.ts'
import { type Confirmed, confirm, databaseOf, yesOption } from '../shared/confirm.ts'
import { table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import { type Flags, instant } from '../shared/option-values.ts'
import { type Answer, type Drawn, type Screen, withAllIsoTimestamps, withIsoTimestamps } from '../shared/output.ts'

interface AfterRestore extends Confirmed, Flags<'dryRun'> {
  readonly since: number
}

const explanation = `
TIME is the moment of the backup: everything after it is missing in the restored database.
It voids what somebody may have used since, and could use again: sessions, pending
confirmations, approvals that nobody has consumed, open approval requests, one-time codes
and challenges.

Stop the servers before. The command is refused while a server runs on the database, and
until a minute after a server was seen there: a backup contains the servers of its time.

Then compare with your own records what the database cannot know: the confirmations in the
list, and the events in the logs since TIME.

Example:
  $ countersign recover after-restore --since 2026-01-31T03:00:00Z --dry-run
  $ countersign recover after-restore --since 2026-01-31T03:00:00Z`

/** The log events since the backup whose effect is missing in the database, and how to repeat them. */
const EVENTS: Readonly<Record<string, string>> = {
  'user_disabled, account_locked, user_deleted': 'repeat with `countersign user disable`, `lock` or `delete`',
  'permissions_revoked, password_set': 'repeat with `countersign user revoke` or `set-password`',
  'device_revoked, passkey_revoked': 'repeat with `countersign device revoke` or `passkey revoke`',
  service_token_revoked: 'repeat with `countersign service-token revoke`',
  'receipt_key_retired, receipt_key_revoked': 'repeat with `countersign keys retire` or `keys revoke`',
}

const listed = ({ voided, confirmations, serviceTokens }: Recovery, { dryRun = false }: AfterRestore, screen: Screen): Drawn => {
  const column = dryRun ? 'would be voided' : 'voided'
  const used = confirmations.map(withIsoTimestamps).map(({ id, email, actionType, approvedAt, approvalId, createdAt }) => ({
    id,
    user: email,
    type: actionType,
    approved: approvedAt,
    request: approvalId,
    asked: createdAt,
  }))
  const tokens = serviceTokens.map(withIsoTimestamps).map(({ id, service, createdAt }) => ({ id, service, issued: createdAt }))
  const counts = Object.entries(voided).map(([kind, count]) => ({ kind, [column]: count }))
  const events = Object.entries(EVENTS).map(([event, action]) => ({ event, action }))
  return [
    table(counts)(screen),
    '\nConfirmations that may have been used after the backup:',
    table(used, 'None.')(screen),
    '\nService tokens that may have been revoked after the backup:',
    table(tokens, 'None.')(screen),
    '\nEvents to look for in the logs since the backup:',
    table(events)(screen),
  ].join('\n') as Drawn
}

const describe = (recovery: Recovery, options: AfterRestore): Answer => {
  const { voided, ...compare } = recovery
  return {
    json: {
      since: new Date(options.since).toISOString(),
      dryRun: options.dryRun ?? false,
      voided,
      compare: withAllIsoTimestamps(compare),
    },
    text: (screen) => listed(recovery, options, screen),
  }
}

const words = (kind: string): string => kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const recover = (context: CommandContext, { since, dryRun = false, ...confirmed }: AfterRestore): Promise<Recovery> =>
  withCountersign(context, async ({ recoverAfterRestore }, storage) => {
    const { requireNoServer, systemClock } = await import('@countersign/core')
    if (!dryRun) await requireNoServer(storage, systemClock)
    const counted = await recoverAfterRestore({ since, dryRun: true })
    if (dryRun) return counted
    const reached = Object.entries(counted.voided).map(([kind, count]) => `${count} ${words(kind)}`)
    const warning = `This ends or voids ${reached.join(', ')}, and cannot be undone.`
    const name = (await databaseOf(context.env)).split('/').at(-1) ?? ''
    await confirm(context, confirmed, { warning, expected: name })
    return recoverAfterRestore({ since })
  })

export const addRecoverCommands = (program: CliCommand): void => {
  const commands = program.command('recover').description('Repair a database after a disaster')
  commands
    .add('after-restore', 'void everything in a restored backup that could be used twice, and list what to compare')
    .requiredOption('--since <time>', 'the moment of the backup, a day or a time in UTC', instant)
    .option('--dry-run', 'only count and list; works while servers run')
    .option(...yesOption)
    .addHelpText('after', explanation)
    .answer(async (options: AfterRestore) => describe(await recover(program.context, options), options))
}
