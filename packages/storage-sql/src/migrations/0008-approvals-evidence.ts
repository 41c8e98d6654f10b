import { type Kysely, sql } from 'kysely'

const texts = [
  'action_type_version',
  'statement_members',
  'approval_id',
  'initiated_by',
  'signature',
  'signature_algorithm',
  'signature_over',
  'device_public_key',
  'device_thumbprint',
  'consumed_by',
  'consumed_key',
] as const
const times = ['approved_at', 'consumed_at', 'voided_at'] as const

/**
 * Adds columns for the signed statement, for the evidence of an approval and for its consumption. Earlier approvals have no
 * evidence.
 */
export const addEvidence = async (db: Kysely<unknown>): Promise<void> => {
  for (const name of texts) await db.schema.alterTable('confirmations').addColumn(name, 'text').execute()
  for (const name of times) await db.schema.alterTable('confirmations').addColumn(name, 'bigint').execute()
  await db.schema
    .alterTable('confirmations')
    .addColumn('domain', 'text', (column) => column.notNull().defaultTo(sql.lit('countersign.confirmation.v1')))
    .execute()
  await db.schema
    .createIndex('confirmations_of_approval')
    .on('confirmations')
    .columns(['approval_id', 'user_id'])
    .unique()
    .where(sql.ref('approval_id'), 'is not', null)
    .execute()
}
