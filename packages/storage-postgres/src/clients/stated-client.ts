import type { HostClient } from '@countersign/core/storage'

/** A client that knows whether it is inside a transaction. */
export interface StatedClient extends HostClient {
  /** Returns `I` outside of a transaction. Old versions of the driver `pg` lack the method. */
  getTransactionStatus?(): string | null
}
