import { Conflict, NotFound, Unavailable } from '../../shared/errors.ts'

/** The host configured no keys for receipts, so no receipt can be made. */
export class ReceiptsNotConfigured extends Unavailable {
  static readonly code = 'receipts_not_configured'
  override readonly code = ReceiptsNotConfigured.code
  constructor() {
    super('Receipts are not configured', { reason: 'receipts_not_configured' })
  }
}

/** Every receipt key of the host is retired or revoked, so no receipt can be made. */
export class ReceiptsUnavailable extends Unavailable {
  static readonly code = 'receipts_unavailable'
  override readonly code = ReceiptsUnavailable.code
  constructor() {
    super('No receipt key can sign', { reason: 'receipt_keys_ended' })
  }
}

/** There is no approved confirmation with this id, or it belongs to somebody else. */
export class ReceiptNotFound extends NotFound {
  static readonly code = 'receipt_not_found'
  override readonly code = ReceiptNotFound.code
  constructor() {
    super('Receipt not found')
  }
}

/** The confirmation was approved before evidence was kept, so no receipt can be made. */
export class ReceiptUnavailable extends Conflict {
  static readonly code = 'receipt_unavailable'
  override readonly code = ReceiptUnavailable.code
  constructor() {
    super('The approval has no stored evidence')
  }
}

/** No receipt key has this id. */
export class ReceiptKeyNotFound extends NotFound {
  static readonly code = 'receipt_key_not_found'
  override readonly code = ReceiptKeyNotFound.code
  constructor() {
    super('Receipt key not found')
  }
}

/** The receipt key was retired or revoked before. */
export class ReceiptKeyEnded extends Conflict {
  static readonly code = 'receipt_key_ended'
  override readonly code = ReceiptKeyEnded.code
  constructor() {
    super('The receipt key was already retired or revoked')
  }
}
