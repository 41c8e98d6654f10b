import type { HostClient } from '../../shared/host-client.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { HostTransactionStores } from '../stores.ts'

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
