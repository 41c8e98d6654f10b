import type { ProjectReference } from '@countersign/core/types'
import type { Database } from '../../shared/database.ts'

/** Selects the project with this code, unless it is removed. */
export const visibleProject = async (database: Database, uniqueCode: string): Promise<ProjectReference | undefined> =>
  database.read((db) =>
    db
      .selectFrom('projects')
      .select(['id', 'unique_code as uniqueCode', 'currency'])
      .where('unique_code', '=', uniqueCode)
      .where('removed_at', 'is', null)
      .executeTakeFirst(),
  )
