import type { CliCommand } from '../shared/cli-command.ts'
import type { Flags, Texts } from '../shared/option-values.ts'
import { withIsoTimestamps } from '../shared/output.ts'
import { changed } from './describe-user.ts'
import { addUserCommand } from './user-command.ts'

const codes = [
  {
    name: 'enrol',
    description: 'print a one-time code with which the user enrols a trusted device; valid for 15 minutes',
    example: 'ada@example.com',
    issue: 'enrol',
    use: 'The user enters this code when they register a device,',
  },
  {
    name: 'invite',
    description: 'print a one-time code with which a user sets the first password; valid for 7 days; creates an unknown user',
    example: 'grace@example.com',
    issue: 'invite',
    use: 'The user sets a password with this code,',
  },
  {
    name: 'reset',
    description: 'print a one-time code with which the user sets a new password; valid for 30 minutes',
    example: 'ada@example.com',
    issue: 'resetPassword',
    use: 'The user sets a new password with this code,',
  },
] as const

const switches = {
  disable: {
    description: 'disable a user: logins are refused and every session ends',
    done: (email: string) => `Disabled ${email}; every session of theirs has ended`,
  },
  enable: { description: 'allow a disabled user to log in again', done: (email: string) => `Enabled ${email}` },
  lock: {
    description: 'lock an account: logins are refused, every session ends, and pending confirmations are rejected',
    done: (email: string) => `Locked the account of ${email}; every session of theirs has ended`,
  },
  unlock: { description: 'open a locked account again', done: (email: string) => `Unlocked the account of ${email}` },
}

/** `countersign user enrol|invite|reset`: one-time codes. The text is the code alone, so that it can be piped. */
export const addUserCodeCommands = (user: CliCommand): void => {
  for (const { name, description, example, issue, use } of codes) {
    const command = addUserCommand(user, name, description, example)
    if (issue === 'invite') {
      command
        .option('--deliver', 'mail the code instead of printing it; needs COUNTERSIGN_SMTP_URL')
        .option('--language <tag>', 'the language of the mail, such as de; English by default')
    }
    command.use(async ({ users }, email: string, { deliver = false, language }: Flags<'deliver'> & Texts<'language'>) => {
      const { code, expiresAt } = withIsoTimestamps(await users[issue]({ email, deliver, language }))
      return deliver
        ? { json: { delivered: true, expiresAt }, text: `The code was mailed; it is valid until ${expiresAt}` }
        : { json: { code, expiresAt }, text: code, note: `${use} until ${expiresAt}. It is never shown again.` }
    })
  }
}

export const addUserSwitchCommands = (user: CliCommand, ...names: readonly (keyof typeof switches)[]): void => {
  for (const name of names) {
    const { description, done } = switches[name]
    addUserCommand(user, name, description).use(async ({ users }, email: string) => {
      const switched = await users[name]({ email })
      return changed(switched, done(switched.email))
    })
  }
}
