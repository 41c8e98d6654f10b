import { errorOf } from '../../shared/errors.ts'

/** The host configured no keys for receipts, so no receipt can be made. */
export class ReceiptsNotConfigured extends errorOf('receipts_not_configured') {
  override readonly reason = 'receipts_not_configured'
}

/** Every receipt key of the host is retired or revoked, so no receipt can be made. */
export class ReceiptsUnavailable extends errorOf('receipts_unavailable') {
  override readonly reason = 'receipt_keys_ended'
}

/** There is no approved confirmation with this id, or it belongs to somebody else. */
export class ReceiptNotFound extends errorOf('receipt_not_found') {}

/** The confirmation was approved before evidence was kept, so no receipt can be made. */
export class ReceiptUnavailable extends errorOf('receipt_unavailable') {}

/** No receipt key has this id. */
export class ReceiptKeyNotFound extends errorOf('receipt_key_not_found') {}

/** The receipt key was retired or revoked before. */
export class ReceiptKeyEnded extends errorOf('receipt_key_ended') {}
