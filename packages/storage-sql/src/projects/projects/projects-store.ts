import { type PersonalProject, type ProjectStore, rolesOf, searchedText } from '@countersign/core/storage'
import { lockLiveSession } from '../../identity/sessions/live-session.ts'
import type { Database } from '../../shared/database.ts'
import type { DialectFeatures } from '../../shared/dialect-features.ts'
import { insertProject } from './insert-project.ts'
import type { ListCache } from './list/cache.ts'
import { listProjects } from './list/list-projects.ts'
import { readDetail } from './project-detail.ts'
import { type NextNumber, takeNumber } from './project-numbers.ts'
import { projectReferences } from './project-references.ts'
import { projectColumns, toProject } from './project-rows.ts'
import { recordProjectChange } from './record-change.ts'

const projectsOfPerson = async (database: Database, userId: number): Promise<readonly PersonalProject[]> => {
  const rows = await database.read((db) =>
    db
      .selectFrom('projects')
      .leftJoin('project_participants', (join) =>
        join.onRef('project_participants.project_id', '=', 'projects.id').on('project_participants.user_id', '=', userId),
      )
      .select([
        'unique_code',
        'created_at',
        'removed_at',
        'creator_id',
        'removed_by',
        'project_participants.user_id as participant_id',
      ])
      .where((the) =>
        the.or([
          the('creator_id', '=', userId),
          the('removed_by', '=', userId),
          the('project_participants.user_id', 'is not', null),
        ]),
      )
      .orderBy('created_at')
      .orderBy('projects.id'),
  )
  return rows.map((row) => ({
    uniqueCode: row.unique_code,
    createdAt: row.created_at,
    removedAt: row.removed_at,
    roles: rolesOf(userId, { creatorId: row.creator_id, isParticipant: row.participant_id !== null, removedBy: row.removed_by }),
  }))
}

/**
 * @param cache The cached lists of committed data. A transaction has a cache of its own.
 * @param nextNumber Takes project numbers outside of transactions. Without it, each transaction takes its number itself.
 */
export const projectsStore = (
  database: Database,
  features: DialectFeatures,
  cache: () => ListCache,
  nextNumber?: NextNumber,
): ProjectStore => {
  const { search } = features

  const holdRow = async (tx: Database, uniqueCode: string) => {
    const [row] = await tx.read((db) =>
      tx.locks.lockForUpdate(
        db
          .selectFrom('projects')
          .select(['seq', ...projectColumns])
          .where('unique_code', '=', uniqueCode)
          .where('removed_at', 'is', null),
      ),
    )
    return row
  }

  return {
    create: async (project, year, codeOf, sessionId) => {
      const { creatorId: userId } = project
      const insertAs = async (tx: Database, uniqueCode: string) => {
        if (sessionId !== undefined && !(await lockLiveSession.finds(tx, { sessionId, userId }))) return false
        return (await insertProject(tx, search, { ...project, uniqueCode })) ? uniqueCode : undefined
      }
      if (nextNumber === undefined) {
        return database.transaction(async (tx) => insertAs(tx, codeOf(await takeNumber(tx, year))))
      }
      const uniqueCode = codeOf(await nextNumber(year))
      return database.transaction((tx) => insertAs(tx, uniqueCode))
    },

    byCode: (uniqueCode) => readDetail(database, { uniqueCode }),

    detail: async (project) => {
      const stored = await readDetail(database, { id: project.id })
      if (stored === undefined) throw new Error('A project that was never created has nothing that belongs to it')
      return { ...stored, ...project }
    },

    list: (query) => listProjects(database, features, cache(), query),

    references: async (uniqueCodes) => (uniqueCodes.length === 0 ? [] : projectReferences(database, uniqueCodes)),

    ofPerson: (userId) => projectsOfPerson(database, userId),

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
          db.updateTable('projects').set({ removed_at: now, removed_by: removedBy }).where('id', '=', row.id),
        )
        await search.removed(tx, row.seq)
        await recordProjectChange(tx, toProject(row), undefined)
        return true
      }),
  }
}
