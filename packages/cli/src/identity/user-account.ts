import type { Countersign, IssuedCode } from '@countersign/core'
import type { Command } from 'commander'
import type { CommandContext } from '../shared/command-context.ts'
import { withCountersign } from '../shared/open-database.ts'
import { type Answer, answering, withIsoTimestamps } from '../shared/output.ts'
import { changed } from './describe-user.ts'

type Issue = 'enrol' | 'invite' | 'resetPassword'

/** The answer of a command that issues a code. The text is the code alone, so that it can be piped. */
const issued = (code: IssuedCode, use: string): Answer => {
  const { expiresAt } = withIsoTimestamps(code)
  return { json: { code: code.code, expiresAt }, text: code.code, note: `${use} until ${expiresAt}. It is never shown again.` }
}

const issue = (context: CommandContext, kind: Issue, email: string): Promise<IssuedCode> =>
  withCountersign(context, ({ users }: Pick<Countersign, 'users'>) => users[kind]({ email }))

/** `countersign user enrol|invite|reset|lock|unlock`: one-time codes, and the lock of the account. */
export const addUserAccountCommands = (user: Command, context: CommandContext): void => {
  user
    .command('enrol')
    .description('print a one-time code with which the user enrols a trusted device; valid for 15 minutes')
    .argument('<user>', 'the email or id of the user')
    .addHelpText('after', '\nExample:\n  $ countersign user enrol ada@example.com')
    .action(
      answering(context, async (email: string) =>
        issued(await issue(context, 'enrol', email), 'The user enters this code when they register a device,'),
      ),
    )

  user
    .command('invite')
    .description('print a one-time code with which a user sets the first password; valid for 7 days; creates an unknown user')
    .argument('<user>', 'the email or id of the user')
    .addHelpText('after', '\nExample:\n  $ countersign user invite grace@example.com')
    .action(
      answering(context, async (email: string) =>
        issued(await issue(context, 'invite', email), 'The user sets a password with this code,'),
      ),
    )

  user
    .command('reset')
    .description('print a one-time code with which the user sets a new password; valid for 30 minutes')
    .argument('<user>', 'the email or id of the user')
    .addHelpText('after', '\nExample:\n  $ countersign user reset ada@example.com')
    .action(
      answering(context, async (email: string) =>
        issued(await issue(context, 'resetPassword', email), 'The user sets a new password with this code,'),
      ),
    )

  user
    .command('lock')
    .description('lock an account: logins are refused, every session ends, and pending confirmations are rejected')
    .argument('<user>', 'the email or id of the user')
    .addHelpText('after', '\nExample:\n  $ countersign user lock ada@example.com')
    .action(
      answering(context, async (email: string) => {
        const locked = await withCountersign(context, ({ users }) => users.lock({ email }))
        return changed(locked, `Locked the account of ${locked.email}; every session of theirs has ended`)
      }),
    )

  user
    .command('unlock')
    .description('open a locked account again')
    .argument('<user>', 'the email or id of the user')
    .addHelpText('after', '\nExample:\n  $ countersign user unlock ada@example.com')
    .action(
      answering(context, async (email: string) => {
        const opened = await withCountersign(context, ({ users }) => users.unlock({ email }))
        return changed(opened, `Unlocked the account of ${opened.email}`)
      }),
    )
}
