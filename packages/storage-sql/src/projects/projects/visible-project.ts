import type { ProjectReference } from '@countersign/core/storage'
import type { Database } from '../../shared/database.ts'

/** The project of this code, where it is not removed. */
export const visibleProject = async (database: Database, uniqueCode: string): Promise<ProjectReference | undefined> =>
  database.read((db) =>
    db
      .selectFrom('projects')
      .select(['id', 'unique_code as uniqueCode', 'currency'])
      .where('unique_code', '=', uniqueCode)
      .where('removed_at', 'is', null)
      .executeTakeFirst(),
  )
