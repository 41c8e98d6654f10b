import type { ResourceStore } from '@countersign/core/storage'
import type { Database } from '../shared/database.ts'
import { recordMapping } from '../shared/record-mapping.ts'
import { projectReferences } from './projects/project-references.ts'
import { importStore } from './staged-imports.ts'

const tables = {
  staged: 'staged_resources',
  target: 'resources',
  key: ['project_id', 'type', 'external_id'],
  replaced: ['name', 'status'],
} as const

const { toRow } = recordMapping('resources', 'id projectId type externalId name status')

export const resourcesStore = (database: Database): ResourceStore => ({
  ...importStore(database, tables, toRow),

  counts: async (uniqueCode) => {
    const [project] = await projectReferences(database, [uniqueCode])
    if (project === undefined) return undefined
    return database.read((db) =>
      db
        .selectFrom('resources')
        .where('project_id', '=', project.id)
        .groupBy(['type', 'status'])
        .select((the) => ['type', 'status', the.fn.countAll<number>().as('count')]),
    )
  },
})
