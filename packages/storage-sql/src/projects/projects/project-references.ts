import type { ProjectReference } from '@countersign/core/storage'
import type { Database } from '../../shared/database.ts'

/** Selects the projects with these codes that are not removed. */
export const projectReferences = async (
  database: Database,
  uniqueCodes: readonly string[],
): Promise<readonly ProjectReference[]> =>
  database.read((db) =>
    db
      .selectFrom('projects')
      .select(['id', 'unique_code as uniqueCode', 'currency'])
      .where('unique_code', 'in', uniqueCodes)
      .where('removed_at', 'is', null),
  )
