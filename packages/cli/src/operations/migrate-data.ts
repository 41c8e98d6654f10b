import type { CliCommand } from '../shared/cli-command.ts'

const explanation = `
Stop the servers on both databases first. The target is an empty database; its schema is
made. Everything is copied, sessions and devices included, so that people stay signed in
where the servers keep their keys. Then the rows of each table are counted and compared by
a digest, and a table that differs is named. All of it is one transaction: what is broken
off leaves the target empty, and starts again when it is run again.

Addresses are as in COUNTERSIGN_DATABASE_URL. Others on this machine see the command line:
leave the password out and set PGPASSWORD.

Example:
  $ countersign migrate-data --from sqlite:.countersign/countersign.db \\
      --to postgres://countersign@db.example/countersign`

export const addMigrateDataCommand = (program: CliCommand): void => {
  program
    .add('migrate-data', 'Copy all data from one database into an empty one, and compare both')
    .requiredOption('--from <url>', 'the database to copy from')
    .requiredOption('--to <url>', 'the database to copy into')
    .addHelpText('after', explanation)
    .answer(async ({ from, to }: { readonly from: string; readonly to: string }) => {
      const { moveData } = await import('./move-data.ts')
      return moveData(from, to, program.context)
    })
}
