import type { IdentityStores } from '../../identity/stores.ts'
import type { HostClient } from '../../shared/host-client.ts'
import type { Transactional } from '../../shared/transactional.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { ApprovalStores } from '../stores.ts'

/** The stores in a transaction of the host. Their own transactions are parts of the host's transaction. */
export type HostTransactionStores = Transactional<IdentityStores & ApprovalStores>

/** A storage that can take part in a transaction of the host. */
export interface WithinHostTransactions {
  /**
   * Returns stores whose statements run on a client of the host, inside the transaction that the host began, and on no other
   * connection. The host commits or rolls back. The statements leave no state in the session of the client, and the errors of the
   * client pass unchanged.
   *
   * @throws TypeError on a database whose transactions cannot be shared, such as SQLite, and for another thing than a client
   */
  within(client: HostClient): HostTransactionStores
}

/**
 * Returns the stores that consume an approval of the user: on the client of the host, or in the storage. A host with a pool for
 * its own transactions and for its user directory may have no other free connection, so no call with its client uses another.
 *
 * First brings the row of the user up to date, because the statement that consumes reads the row.
 */
export const consumptionStores = async (
  { storage, users }: Pick<ApprovalDeps, 'storage' | 'users'>,
  userId: number,
  client: HostClient | undefined,
): Promise<HostTransactionStores> => {
  const stores = client === undefined ? storage : storage.within(client)
  if (users.areKeptElsewhere) await users.byId(userId, client && { client, stores })
  return stores
}
