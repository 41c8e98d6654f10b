import { rolesOf } from '@countersign/core/storage'
import type { PersonalProject } from '@countersign/core/types'
import type { Database } from '../../shared/database.ts'

/** See `ProjectStore.ofPerson`. */
export const projectsOfPerson = async (database: Database, userId: number): Promise<readonly PersonalProject[]> => {
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
      .orderBy('projects.id')
      .execute(),
  )
  return rows.map((row) => ({
    uniqueCode: row.unique_code,
    createdAt: row.created_at,
    removedAt: row.removed_at,
    roles: rolesOf(userId, { creatorId: row.creator_id, isParticipant: row.participant_id !== null, removedBy: row.removed_by }),
  }))
}
