import type { CliCommand } from '../shared/cli-command.ts'

/** Adds a command about one user. @param example The words after the name of the command. */
export const addUserCommand = (user: CliCommand, name: string, description: string, example = 'ada@example.com'): CliCommand =>
  user
    .command(name)
    .description(description)
    .argument('<user>', 'the email or id of the user')
    .example(`countersign user ${name} ${example}`)
