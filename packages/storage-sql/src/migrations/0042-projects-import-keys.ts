import type { Kysely } from 'kysely'
import type { ChangedKey, MigrationDialect } from './migration-dialect.ts'

const keys: readonly ChangedKey[] = [
  { table: 'resources', name: 'resources_external_id', kind: 'unique', columns: ['project_id', 'type', 'external_id'] },
  { table: 'expenses', name: 'expenses_external_id', kind: 'unique', columns: ['project_id', 'external_id'] },
  {
    table: 'staged_resources',
    name: 'staged_resources_key',
    kind: 'primary key',
    columns: ['import_id', 'project_id', 'type', 'external_id'],
  },
  {
    table: 'staged_expenses',
    name: 'staged_expenses_key',
    kind: 'primary key',
    columns: ['import_id', 'project_id', 'external_id'],
  },
]

/** Makes the external ids of resources and expenses unique within their project, so that each project may number its own. */
export const addProjectToImportKeys =
  ({ changeKey }: MigrationDialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    for (const key of keys) await changeKey(db, key)
  }
