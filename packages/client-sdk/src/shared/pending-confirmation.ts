import type { Output } from '@countersign/contract'

/** A confirmation that waits for the signature of a device, as `client.confirmations.pending()` lists it. */
export type PendingConfirmation = Output<'confirmations.pending'>['confirmations'][number]
