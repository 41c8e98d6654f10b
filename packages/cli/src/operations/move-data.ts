import type { MigratedStorage } from '@countersign/core'
import type { DataMoveProgress, MovedTable } from '@countersign/core/storage'
import { checkConfig, openStorage, shownDatabase } from '@countersign/server'
import { openChangeLog } from '../shared/change-log.ts'
import type { CommandContext } from '../shared/command-context.ts'
import { CommandFailed } from '../shared/failures.ts'
import { table } from '../shared/listing.ts'
import { isMissingFile } from '../shared/missing-file.ts'
import type { Answer } from '../shared/output.ts'
import { showBar } from '../shared/progress-bar.ts'

const doing = {
  copy: 'copying',
  verify: 'comparing',
  complete: 'making the indexes',
} as const satisfies Record<DataMoveProgress['phase'], string>

/** Opens both databases. The target gets the parts of the source. */
const openBoth = async (
  from: string,
  to: string,
  env: CommandContext['env'],
): Promise<readonly [source: MigratedStorage, target: MigratedStorage]> => {
  const { databaseSchema: schema } = checkConfig(env).config
  const source = await openStorage(from, { schema })
  try {
    return [source, await openStorage(to, { schema, parts: source.parts })]
  } catch (error) {
    await source.close()
    throw error
  }
}

const move = async (
  from: string,
  to: string,
  { env, stderr }: Pick<CommandContext, 'env' | 'stderr'>,
): Promise<readonly MovedTable[]> => {
  if (isMissingFile(from)) throw new CommandFailed(`${shownDatabase(from)} does not exist`)
  const [source, target] = await openBoth(from, to, env)
  // The bar starts again for each phase.
  const bar = showBar(1, stderr, '{doing} {table}', { doing: 'beginning', table: '' })
  const onProgress = ({ phase, table, rows, total }: DataMoveProgress): void => {
    bar.setTotal(total)
    bar.update(rows, { doing: doing[phase], table })
  }
  try {
    return await target.takeOver(source, { onProgress })
  } finally {
    bar.stop()
    await Promise.all([source.close(), target.close()])
  }
}

/** Copies one database into another, and shows the progress. @throws CommandFailed, StartupError, Conflict */
export const moveData = async (from: string, to: string, context: Pick<CommandContext, 'env' | 'stderr'>): Promise<Answer> => {
  const log = await openChangeLog(context)
  const tables = await move(from, to, context)
  log.info('data_moved', { tables: tables.length, rows: tables.reduce((sum, { rows }) => sum + rows, 0) })
  log.close()
  const rows = tables.map((one) => ({ table: one.name, rows: one.rows, same: true }))
  return {
    json: { tables },
    text: table(rows),
    note: 'Every table was compared by the number and the digest of its rows.',
  }
}
