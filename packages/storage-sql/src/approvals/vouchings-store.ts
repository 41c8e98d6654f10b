import { boundText, type Vouching, type VouchingStore } from '@countersign/core/storage'
import { countOf, type Database } from '../shared/database.ts'
import { preparedQuery } from '../shared/prepared-query.ts'
import { recordMapping } from '../shared/record-mapping.ts'

const { columns, toRecord, toRow } = recordMapping(
  'vouchings',
  'userId kind subjectId registeredBy confirmationId startedByRegistration:flag restarts restartsSince createdAt',
)

const ofConfirmation = preparedQuery(
  (db, given: { readonly userId: number; readonly confirmationId: string }) =>
    db
      .selectFrom('vouchings')
      .select(columns)
      .where('confirmation_id', '=', given.confirmationId)
      .where('user_id', '=', given.userId),
  toRecord,
)

const ofSubject = preparedQuery(
  (db, { userId, kind, subjectId }: Pick<Vouching, 'userId' | 'kind' | 'subjectId'>) =>
    db
      .selectFrom('vouchings')
      .select(columns)
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('subject_id', '=', subjectId),
  toRecord,
)

export const vouchingsStore = (database: Database): VouchingStore => ({
  put: async (vouching) => {
    const row = toRow(vouching)
    const { user_id: _, kind: __, subject_id: ___, ...changed } = row
    await database.write((db) =>
      db
        .insertInto('vouchings')
        .values(row)
        .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'subject_id']).doUpdateSet(changed)),
    )
  },

  find: (by) => ('subjectId' in by ? ofSubject.first(database, by) : ofConfirmation.first(database, by)),

  startedByRegistrations: (userId, since, tenants = null) =>
    countOf(database, (db) =>
      db
        .selectFrom('vouchings')
        .innerJoin('sessions', 'sessions.id', 'vouchings.registered_by')
        .where('vouchings.user_id', '=', userId)
        .where('vouchings.created_at', '>=', since)
        .where('started_by_registration', '=', 1)
        .where('sessions.ended_at', 'is', null)
        .where('sessions.tenants', tenants === null ? 'is' : '=', boundText(tenants)),
    ),
})
