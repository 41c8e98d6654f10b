import type { DeviceRegistrationStore, RegistrationEvidence } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import type { Database } from '../../shared/database.ts'
import { preparedQuery, rowOf } from '../../shared/prepared-query.ts'
import type { DeviceRegistrationsTable } from '../../tables/index.ts'

const columns = [
  'id',
  'user_id',
  'challenge',
  'nonce',
  'statement',
  'algorithm',
  'signature',
  'signature_over',
  'public_key',
  'key_thumbprint',
  'registered_at',
] as const satisfies readonly (keyof DeviceRegistrationsTable)[]

type Row = Selectable<DeviceRegistrationsTable>

const toEvidence = (row: Row): RegistrationEvidence => ({
  deviceId: row.id,
  userId: row.user_id,
  challenge: row.challenge,
  nonce: row.nonce,
  text: row.statement,
  algorithm: row.algorithm,
  signature: row.signature,
  over: row.signature_over,
  publicKey: row.public_key,
  keyThumbprint: row.key_thumbprint,
  registeredAt: row.registered_at,
})

const insert = preparedQuery((db, row: Row) => db.insertInto('device_registrations').values(rowOf(row, columns)))

const ofDevice = preparedQuery((db, given: { readonly userId: number; readonly deviceId: string }) =>
  db.selectFrom('device_registrations').select(columns).where('id', '=', given.deviceId).where('user_id', '=', given.userId),
)

export const deviceRegistrationsStore = (database: Database): DeviceRegistrationStore => ({
  add: async (evidence) => {
    await database.write((db) =>
      insert.affected(db, {
        id: evidence.deviceId,
        user_id: evidence.userId,
        challenge: evidence.challenge,
        nonce: evidence.nonce,
        statement: evidence.text,
        algorithm: evidence.algorithm,
        signature: evidence.signature,
        signature_over: evidence.over,
        public_key: evidence.publicKey,
        key_thumbprint: evidence.keyThumbprint,
        registered_at: evidence.registeredAt,
      }),
    )
  },

  ofDevice: async (userId, deviceId) => {
    const row = await database.read((db) => ofDevice.first(db, { userId, deviceId }))
    return row && toEvidence(row)
  },

  deleteAllOfUser: (userId) =>
    database.transaction(async (tx) => {
      for (const removed of ['is', 'is not'] as const) {
        await tx.write((db) =>
          db
            .deleteFrom('device_registrations')
            .where('id', 'in', (the) =>
              the.selectFrom('devices').select('devices.id').where('user_id', '=', userId).where('removed_at', removed, null),
            )
            .execute(),
        )
      }
    }),
})
