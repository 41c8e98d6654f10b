import type { CliCommand } from '../shared/cli-command.ts'

/** Adds a command about one user. @param example The words after the name of the command. */
export const addUserCommand = (user: CliCommand, name: string, description: string, example = 'ada@example.com'): CliCommand =>
  user.add(name, description, example).argument('<user>', 'the email or id of the user')
