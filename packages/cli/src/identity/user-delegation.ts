import type { Countersign } from '@countersign/core'
import type { CliCommand } from '../shared/cli-command.ts'
import { table } from '../shared/listing.ts'
import { lastInstant } from '../shared/option-values.ts'
import { withIsoTimestamps } from '../shared/output.ts'
import { type As, asOption, withApproval } from '../shared/with-approval.ts'
import { addUserCommand } from './user-command.ts'
import { grantedBy } from './user-permissions.ts'

interface Permission {
  readonly permission: string
}

const toJson = ({ until, createdAt, ...rest }: Awaited<ReturnType<Countersign['users']['delegate']>>) => ({
  ...withIsoTimestamps({ ...rest, createdAt }),
  until: new Date(until).toISOString(),
})

export const addUserDelegationCommands = (user: CliCommand): void => {
  user
    .add('delegate', 'let a user vote for another user in approval requests, until a time')
    .argument('<from>', 'the email or id of the user who holds the permission')
    .argument('<to>', 'the email or id of the delegate')
    .requiredOption('--permission <permission>', '<resource>.<action>, also with @<tenant>; no wildcard')
    .requiredOption('--until <time>', 'a day, which is included, or a time in UTC, at most a year ahead', lastInstant)
    .option(...asOption)
    .example('countersign user delegate ada@example.com bob@example.com --permission payment.approve --until 2027-01-07')
    .use(async (countersign, from: string, to: string, { as, ...given }: Permission & As & { readonly until: number }) => {
      const delegation = await withApproval(user.context, countersign, as, (approval) =>
        countersign.users.delegate({ from, to, ...given, ...grantedBy(approval) }),
      )
      const json = toJson(delegation)
      return { json, text: `${json.to.email} votes for ${json.from.email} with ${json.permission} until ${json.until}` }
    })

  user
    .add('undelegate', 'end a delegation, with immediate effect, also for the votes of open approval requests')
    .argument('<from>', 'the email or id of the user who holds the permission')
    .argument('<to>', 'the email or id of the delegate')
    .requiredOption('--permission <permission>', 'as it was delegated')
    .example('countersign user undelegate ada@example.com bob@example.com --permission payment.approve')
    .use(async ({ users }, from: string, to: string, { permission }: Permission) => {
      await users.endDelegation({ from, to, permission })
      return { json: { from, to, permission }, text: `The delegation of ${permission} has ended` }
    })

  const description = 'list the delegations that a user gave or got'
  addUserCommand(user, 'delegations', description, 'bob@example.com').use(async ({ users }, email: string) => {
    const json = (await users.delegations({ email })).map(toJson)
    const rows = json.map(({ from, to, permission, until }) => ({ from: from.email, to: to.email, permission, until }))
    return { json, text: table(rows, 'The user gave and got no delegations.') }
  })
}
