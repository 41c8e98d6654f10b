import { Unavailable } from '../../shared/errors.ts'

/** The host configured no keys for receipts, so no receipt can be made. */
export class ReceiptsNotConfigured extends Unavailable {
  static readonly code = 'receipts_not_configured'
  override readonly code = ReceiptsNotConfigured.code
  constructor() {
    super('Receipts are not configured')
  }
}
