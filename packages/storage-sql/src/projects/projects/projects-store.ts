import { type ProjectStore, searchedText } from '@countersign/core/storage'
import type { Database } from '../../shared/database.ts'
import type { DialectFeatures } from '../../shared/dialect-features.ts'
import type { ListCache } from './list/cache.ts'
import { listProjects } from './list/list-projects.ts'
import { recordProjectChange } from './project-counts.ts'
import { readDetail } from './project-detail.ts'
import { fromProject, projectColumns, toProject } from './project-rows.ts'

/** @param cache The cached lists of committed data. A transaction has a cache of its own. */
export const projectsStore = (database: Database, features: DialectFeatures, cache: () => ListCache): ProjectStore => {
  const { search, lockForUpdate } = features

  /** Reads and locks the row until the transaction ends. */
  const holdRow = (tx: Database, uniqueCode: string) =>
    tx.read((db) =>
      lockForUpdate(
        db
          .selectFrom('projects')
          .select(['seq', ...projectColumns])
          .where('unique_code', '=', uniqueCode)
          .where('removed_at', 'is', null),
      ).executeTakeFirst(),
    )

  return {
    nextNumber: async (year) => {
      const { last } = await database.write((db) =>
        db
          .insertInto('project_numbers')
          .values({ year, last: 1 })
          .onConflict((conflict) => conflict.column('year').doUpdateSet((the) => ({ last: the('project_numbers.last', '+', 1) })))
          .returning('last')
          .executeTakeFirstOrThrow(),
      )
      return last
    },

    create: (project) =>
      database.transaction(async (tx) => {
        const added = await tx.write((db) =>
          db
            .insertInto('projects')
            .values(fromProject(project))
            .onConflict((conflict) => conflict.column('unique_code').doNothing())
            .returning('seq')
            .executeTakeFirst(),
        )
        if (added === undefined) return false
        const { id, products, participantIds } = project
        if (products.length > 0) {
          const rows = products.map((product, position) => ({
            id: product.id,
            project_id: id,
            position,
            name: product.name,
            product_type: product.productType,
            description: product.description,
            attributes: JSON.stringify(product.attributes),
            schema_version: product.schemaVersion,
          }))
          await tx.write((db) => db.insertInto('products').values(rows).execute())
        }
        if (participantIds.length > 0) {
          const rows = participantIds.map((userId, position) => ({ project_id: id, position, user_id: userId }))
          await tx.write((db) => db.insertInto('project_participants').values(rows).execute())
        }
        await search.added(tx, added.seq, searchedText(project))
        await recordProjectChange(tx, undefined, project)
        return true
      }),

    byCode: (uniqueCode) => readDetail(database, { uniqueCode }),

    detail: async (project) => {
      const stored = await readDetail(database, { id: project.id })
      if (stored === undefined) throw new Error('A project that was never created has nothing that belongs to it')
      return { ...stored, ...project }
    },

    list: (query) => listProjects(database, features, cache(), query),

    references: async (uniqueCodes) =>
      uniqueCodes.length === 0
        ? []
        : database.read((db) =>
            db
              .selectFrom('projects')
              .select(['id', 'unique_code as uniqueCode', 'currency'])
              .where('unique_code', 'in', uniqueCodes)
              .where('removed_at', 'is', null)
              .execute(),
          ),

    change: (uniqueCode, change, now, check) =>
      database.transaction(async (tx) => {
        const row = await holdRow(tx, uniqueCode)
        if (row === undefined) return undefined
        const before = toProject(row)
        check?.(before)
        const after = {
          name: change.name ?? before.name,
          description: change.description ?? before.description,
          status: change.status ?? before.status,
          progress: change.progress ?? before.progress,
        }
        const text = searchedText(after)
        const changed = await tx.write((db) =>
          db
            .updateTable('projects')
            .set({ ...after, searched_text: text, updated_at: now })
            .$if(change.contractValue !== undefined, (query) => query.set({ contract_value: change.contractValue as number }))
            .where('id', '=', row.id)
            .returning(projectColumns)
            .executeTakeFirstOrThrow(),
        )
        if (text !== searchedText(before)) await search.changed(tx, row.seq, text)
        await recordProjectChange(tx, before, { ...after, customerId: before.customerId })
        return toProject(changed)
      }),

    remove: (uniqueCode, removedBy, now, check) =>
      database.transaction(async (tx) => {
        const row = await holdRow(tx, uniqueCode)
        if (row === undefined) return false
        check?.(toProject(row))
        await tx.write((db) =>
          db.updateTable('projects').set({ removed_at: now, removed_by: removedBy }).where('id', '=', row.id).execute(),
        )
        await search.removed(tx, row.seq)
        await recordProjectChange(tx, toProject(row), undefined)
        return true
      }),
  }
}
