import { type Finding, failed, ok, warning } from '../shared/health/finding.ts'
import type { MigratedStorage } from '../storage.ts'

/** Compares the tables of a database with the migrations of this program. @param migrate Such as `countersign migrate`. */
export const examineSchema = async (storage: Pick<MigratedStorage, 'migrationStatus'>, migrate: string): Promise<Finding> => {
  const { applied, pending, newer, foreignTables } = await storage.migrationStatus()
  const foreign = `tables of another program are in the place of ours: ${foreignTables.join(', ')}`
  if (pending.length > 0) {
    const remedy = foreignTables.length > 0 ? foreign : `\`${migrate}\` applies it`
    return failed(`pending: ${pending.join(', ')}; ${remedy}`)
  }
  const last = latestOfParts(applied)
  if (foreignTables.length > 0) return warning(`${last}; ${foreign}`)
  return ok(newer.length > 0 ? `${last}; a newer version has also applied ${newer.join(', ')}` : last)
}

/** The last migration of each part. The names of migrations have the form `0001-identity`. */
const latestOfParts = (applied: readonly string[]): string =>
  [...new Map(applied.map((name) => [name.split('-')[1], name])).values()].join(', ')
