import type { ResourceStore } from '@countersign/core/storage'
import type { Database } from '../shared/database.ts'
import { recordMapping } from '../shared/record-mapping.ts'
import { visibleProject } from './projects/visible-project.ts'
import { commitStaged, discardStaged } from './staged-imports.ts'

const tables = {
  staged: 'staged_resources',
  target: 'resources',
  key: ['project_id', 'type', 'external_id'],
  replaced: ['name', 'status'],
} as const

const mapping = recordMapping('id projectId type externalId name status')

export const resourcesStore = (database: Database): ResourceStore => ({
  stage: async (importId, resources, now) => {
    if (resources.length === 0) return
    const rows = resources.map((resource) => ({ import_id: importId, staged_at: now, ...mapping.toRow(resource) }))
    await database.write((db) =>
      db
        .insertInto('staged_resources')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(['import_id', 'project_id', 'type', 'external_id']).doUpdateSet((the) => ({
            name: the.ref('excluded.name'),
            status: the.ref('excluded.status'),
          })),
        )
        .execute(),
    )
  },

  commitImport: (importId) => commitStaged(database, tables, importId),

  discardImport: (importId) => discardStaged(database, tables.staged, importId),

  counts: async (uniqueCode) => {
    const project = await visibleProject(database, uniqueCode)
    if (project === undefined) return undefined
    return database.read((db) =>
      db
        .selectFrom('resources')
        .where('project_id', '=', project.id)
        .groupBy(['type', 'status'])
        .select((the) => ['type', 'status', the.fn.countAll<number>().as('count')])
        .execute(),
    )
  },
})
