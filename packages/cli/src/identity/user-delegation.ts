import type { Countersign } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import type { CommandContext } from '../shared/command-context.ts'
import { table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import { instant } from '../shared/option-values.ts'
import { withIsoTimestamps } from '../shared/output.ts'
import { asOption, withApproval } from '../shared/with-approval.ts'
import { type As, grantedBy } from './user-permissions.ts'

interface Permission {
  readonly permission: string
}

const toJson = ({ until, createdAt, ...rest }: Awaited<ReturnType<Countersign['users']['delegate']>>) => ({
  ...withIsoTimestamps({ ...rest, createdAt }),
  until: new Date(until).toISOString(),
})

/** `countersign user delegate|undelegate|delegations`: votes for another user. */
export const addUserDelegationCommands = (user: CliCommand, context: CommandContext): void => {
  user
    .command('delegate')
    .description('let a user vote for another user in approval requests, until a time')
    .argument('<from>', 'the email or id of the user who holds the permission')
    .argument('<to>', 'the email or id of the delegate')
    .requiredOption('--permission <permission>', '<resource>.<action>, also with @<scope>; no wildcard')
    .requiredOption('--until <time>', 'a day or a time in UTC, at most a year ahead', instant)
    .option(...asOption)
    .example('countersign user delegate ada@example.com bob@example.com --permission payment.approve --until 2027-01-07')
    .answer(async (from: string, to: string, { as, ...given }: Permission & As & { readonly until: number }) => {
      const delegation = await withCountersign(context, (countersign) =>
        withApproval(context, countersign, as, (approval) =>
          countersign.users.delegate({ from, to, ...given, ...grantedBy(approval) }),
        ),
      )
      const json = toJson(delegation)
      return { json, text: `${json.to.email} votes for ${json.from.email} with ${json.permission} until ${json.until}` }
    })

  user
    .command('undelegate')
    .description('end a delegation, with immediate effect, also for the votes of open approval requests')
    .argument('<from>', 'the email or id of the user who holds the permission')
    .argument('<to>', 'the email or id of the delegate')
    .requiredOption('--permission <permission>', 'as it was delegated')
    .example('countersign user undelegate ada@example.com bob@example.com --permission payment.approve')
    .answer(async (from: string, to: string, { permission }: Permission) => {
      await withCountersign(context, ({ users }) => users.endDelegation({ from, to, permission }))
      return { json: { from, to, permission }, text: `The delegation of ${permission} has ended` }
    })

  user
    .command('delegations')
    .description('list the delegations that a user gave or got')
    .argument('<user>', 'the email or id of the user')
    .example('countersign user delegations bob@example.com')
    .answer(async (email: string) => {
      const found = await withCountersign(context, ({ users }) => users.delegations({ email }))
      const json = found.map(toJson)
      const rows = json.map(({ from, to, permission, until }) => ({ from: from.email, to: to.email, permission, until }))
      return { json, text: (screen) => table(rows, { screen, empty: 'The user gave and got no delegations.' }) }
    })
}
