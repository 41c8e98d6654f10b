import type { RegistrationEvidence } from '@countersign/core/storage'
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

/** Stores the evidence of the registration of a new device. */
export const storeEvidence = async (tx: Database, evidence: RegistrationEvidence): Promise<void> => {
  await tx.write((db) => insert.affected(db, mapping.toRow(evidence)))
}

/** See `DeviceStore.evidenceOf`. */
export const readEvidence = (database: Database, userId: number, deviceId: string) =>
  readFirst(database, toEvidence, (db) => ofDevice.first(db, { userId, deviceId }))
