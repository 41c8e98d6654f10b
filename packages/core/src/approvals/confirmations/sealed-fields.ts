import type { SeenClient } from '../../shared/from-client.ts'
import { sealedPayload } from '../records/payload.ts'
import type { StoredStatement } from '../records/statement.ts'
import { sealedColumn, sealedJson } from '../sealed-columns.ts'

export const confirmationFields = {
  payload: sealedPayload('confirmations'),
  /** In base64. */
  nonce: sealedColumn('confirmations', 'nonce'),
  /** The members of the statement that have no column of their own. */
  statement: sealedJson<StoredStatement>('confirmations', 'statement'),
  consumedReceipt: sealedColumn('confirmations', 'consumed_receipt'),
  rejectReason: sealedColumn('confirmations', 'reject_reason'),
  requestedFrom: sealedJson<SeenClient>('confirmations', 'requested_from'),
  matchNumber: sealedColumn('confirmations', 'match_number'),
}
