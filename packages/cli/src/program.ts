import { Command } from 'commander'
import { addCompletionCommand } from './commands/completion.ts'
import { addCustomerCommands } from './commands/customer.ts'
import { addDeviceCommands } from './commands/device.ts'
import { addDoctorCommand } from './commands/doctor.ts'
import { addExpenseCommands } from './commands/expense.ts'
import { addKeysCommands } from './commands/keys.ts'
import { addMigrateCommand } from './commands/migrate.ts'
import { addMigrateDataCommand } from './commands/migrate-data.ts'
import { addOpenapiCommand } from './commands/openapi.ts'
import { addPasskeyCommands } from './commands/passkey.ts'
import { addProjectCommands } from './commands/project.ts'
import { addResourceCommands } from './commands/resource.ts'
import { addSchemaCommands } from './commands/schema.ts'
import { addServeCommand } from './commands/serve.ts'
import { addServiceTokenCommands } from './commands/service-token.ts'
import { addSessionCommands } from './commands/session.ts'
import { addUserCommands } from './commands/user.ts'
import { readVersion } from './version.ts'

/**
 * Every noun, in the order of the help. A new one is a file and a line here. None loads the server before one of its
 * commands runs, so that help and complaints come at once.
 */
const additions: readonly ((program: Command) => void)[] = [
  addServeCommand,
  addMigrateCommand,
  addMigrateDataCommand,
  addUserCommands,
  addDeviceCommands,
  addSessionCommands,
  addPasskeyCommands,
  addSchemaCommands,
  addProjectCommands,
  addCustomerCommands,
  addResourceCommands,
  addExpenseCommands,
  addServiceTokenCommands,
  addKeysCommands,
  addOpenapiCommand,
  addDoctorCommand,
  addCompletionCommand,
]

const epilogue = `
The database is that of COUNTERSIGN_DATABASE_URL (sqlite:.countersign/countersign.db
where it is not set), also while servers run on it; they follow within a second.
Exit codes: 0 done, 1 refused or failed, 2 not understood.

Example:
  $ countersign user list --json`

/** `--json` stands at every level, so that it is understood wherever it is written. */
const addJsonOption = (command: Command): void => {
  command.option('--json', 'answer with one JSON value on standard output')
  command.commands.forEach(addJsonOption)
}

/** The whole `countersign` command, ready to parse. */
export const createProgram = (): Command => {
  const program = new Command('countersign')
    .description('Run and administer Countersign: device-bound authentication and signed approvals')
    .version(readVersion())
    .addHelpText('after', epilogue)
    // Options of the program stand before its commands, so that a command can have a --version of its own.
    .enablePositionalOptions()
    // What went wrong is thrown and told in one place.
    .exitOverride()
    .configureOutput({ writeErr: () => {}, outputError: () => {} })
  for (const add of additions) add(program)
  addJsonOption(program)
  return program
}
