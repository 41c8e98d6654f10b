import type { ResourceStore } from '@countersign/core'
import type { Database } from '../database.ts'
import { countPut } from '../projects/count-put.ts'
import { visibleProject } from '../projects/visible-project.ts'

export const resourcesStore = (database: Database): ResourceStore => ({
  put: async (resources) => {
    if (resources.length === 0) return { imported: 0, updated: 0 }
    const rows = await database.write((db) =>
      db
        .insertInto('resources')
        .values(
          resources.map(({ id, projectId, type, externalId, name, status }) => ({
            id,
            project_id: projectId,
            type,
            external_id: externalId,
            name,
            status,
          })),
        )
        .onConflict((conflict) =>
          conflict.columns(['type', 'external_id']).doUpdateSet((the) => ({
            project_id: the.ref('excluded.project_id'),
            name: the.ref('excluded.name'),
            status: the.ref('excluded.status'),
          })),
        )
        .returning('id')
        .execute(),
    )
    return countPut(resources, rows)
  },

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
