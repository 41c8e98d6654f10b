import type { Command } from 'commander'
import { addActionCommands } from './approvals/action.ts'
import { addArchiveCommand } from './approvals/archive/archive.ts'
import { addConfirmationCommands } from './approvals/confirmation.ts'
import { addReceiptCommands } from './approvals/receipt.ts'
import { addVectorsCommands } from './approvals/vectors/vectors.ts'
import { addDeviceCommands } from './identity/device.ts'
import { addPasskeyCommands } from './identity/passkey.ts'
import { addPushCommands } from './identity/push.ts'
import { addServiceTokenCommands } from './identity/service-token.ts'
import { addSessionCommands } from './identity/session.ts'
import { addUserCommands } from './identity/user.ts'
import { addCompletionCommand } from './operations/completion/completion.ts'
import { addDoctorCommand } from './operations/doctor/doctor.ts'
import { addKeysCommands } from './operations/keys.ts'
import { addMigrateCommand } from './operations/migrate.ts'
import { addMigrateDataCommand } from './operations/migrate-data.ts'
import { addOpenapiCommand } from './operations/openapi.ts'
import { addRecoverCommands } from './operations/recover.ts'
import { addServeCommand } from './operations/serve.ts'
import { addSweepCommand } from './operations/sweep.ts'
import { addCustomerCommands } from './projects/customer.ts'
import { addImportCommands } from './projects/imports.ts'
import { addProjectCommands } from './projects/project.ts'
import { addSchemaCommands } from './projects/schema.ts'
import { CliCommand, helpOptions, helpWidthOf } from './shared/cli-command.ts'
import type { CommandContext } from './shared/command-context.ts'
import { readVersion } from './shared/version.ts'

/** All commands, in the order of the help. None loads the server before it runs, so that help is printed immediately. */
const additions: readonly ((program: CliCommand) => void)[] = [
  addServeCommand,
  addMigrateCommand,
  addMigrateDataCommand,
  addUserCommands,
  addDeviceCommands,
  addSessionCommands,
  addPasskeyCommands,
  addPushCommands,
  addConfirmationCommands,
  addReceiptCommands,
  addVectorsCommands,
  addSchemaCommands,
  addActionCommands,
  addProjectCommands,
  addCustomerCommands,
  addImportCommands,
  addServiceTokenCommands,
  addKeysCommands,
  addSweepCommand,
  addRecoverCommands,
  addArchiveCommand,
  addOpenapiCommand,
  addDoctorCommand,
  addCompletionCommand,
]

const epilogue = `
The database is that of COUNTERSIGN_DATABASE_URL (sqlite:.countersign/countersign.db
if it is not set), in the schema of COUNTERSIGN_DATABASE_SCHEMA on PostgreSQL, also
while servers run on it; they follow within a second.

Exit codes: 0 done, 1 refused or failed, 2 not understood.

Example:
  $ countersign user list --json`

/** Adds `--json` to a command and all its subcommands, so that it may be anywhere on the command line. */
const addJsonOption = (command: Command): void => {
  command.option('--json', 'answer with one JSON value on standard output')
  command.commands.forEach(addJsonOption)
}

/** Returns the `countersign` command with all subcommands, ready to parse. The subcommands run in the given context. */
export const createProgram = (context: CommandContext): CliCommand => {
  const program = new CliCommand(context, 'countersign')
    .description('Run and administer Countersign: device-bound authentication and signed approvals')
    .version(readVersion())
    .addHelpText('after', epilogue)
    // Options of the program come before the command name, so that a command can have its own --version.
    .enablePositionalOptions()
    // Commander throws its errors; `toFailure` prints all of them.
    .exitOverride()
    .configureHelp(helpOptions)
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      getOutHelpWidth: () => helpWidthOf(context),
      writeErr: () => {},
      outputError: () => {},
    })
  for (const add of additions) add(program)
  addJsonOption(program)
  return program
}
