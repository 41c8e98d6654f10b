import type { RegistrationEvidence } from '@countersign/core/storage'
import type { Database } from '../../shared/database.ts'
import { preparedQuery, rowOf } from '../../shared/prepared-query.ts'
import { recordMapping } from '../../shared/record-mapping.ts'
import type { Row } from '../../tables/index.ts'

const { columns, toRecord, toRow } = recordMapping(
  'device_registrations',
  'deviceId=id userId challenge nonce text=statement algorithm signature over=signature_over publicKey keyThumbprint',
  'registeredAt',
)

const insert = preparedQuery((db, row: Row<'device_registrations'>) =>
  db.insertInto('device_registrations').values(rowOf(row, columns)),
)

const ofDevice = preparedQuery(
  (db, given: { readonly userId: number; readonly deviceId: string }) =>
    db.selectFrom('device_registrations').select(columns).where('id', '=', given.deviceId).where('user_id', '=', given.userId),
  toRecord,
)

export const storeEvidence = async (tx: Database, evidence: RegistrationEvidence): Promise<void> => {
  await insert.affected(tx, toRow(evidence))
}

export const readEvidence = (database: Database, userId: number, deviceId: string): Promise<RegistrationEvidence | undefined> =>
  ofDevice.first(database, { userId, deviceId })
