import type { DeviceRegistrationStore, RegistrationEvidence } from '@countersign/core/storage'
import type { Selectable } from 'kysely'
import { type Database, readFirst } from '../../shared/database.ts'
import { preparedQuery, rowOf } from '../../shared/prepared-query.ts'
import { recordMapping } from '../../shared/record-mapping.ts'
import type { DeviceRegistrationsTable } from '../../tables/index.ts'

const mapping = recordMapping(
  'deviceId=id userId challenge nonce text=statement algorithm signature over=signature_over publicKey keyThumbprint',
  'registeredAt',
)
const { columns } = mapping

type Row = Selectable<DeviceRegistrationsTable>
const toEvidence = (row: Row): RegistrationEvidence => mapping.toRecord(row)

const insert = preparedQuery((db, row: Row) => db.insertInto('device_registrations').values(rowOf(row, columns)))

const ofDevice = preparedQuery((db, given: { readonly userId: number; readonly deviceId: string }) =>
  db.selectFrom('device_registrations').select(columns).where('id', '=', given.deviceId).where('user_id', '=', given.userId),
)

export const deviceRegistrationsStore = (database: Database): DeviceRegistrationStore => ({
  add: async (evidence) => {
    await database.write((db) => insert.affected(db, mapping.toRow(evidence)))
  },

  ofDevice: (userId, deviceId) => readFirst(database, toEvidence, (db) => ofDevice.first(db, { userId, deviceId })),
})
