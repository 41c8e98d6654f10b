import type { ApprovalDeps } from '../deps.ts'
import { sealNonce } from './sealed-fields.ts'

/** Confirmations of one transaction. A small number lets other writers in between. */
const BATCH = 200
const MAX_BATCHES = 50

/**
 * Encrypts nonces that earlier versions stored without encryption, at most 10,000 in one call. Returns how many it encrypted.
 * Several processes may call this function at the same time: each nonce is replaced by one conditional statement. After an
 * interruption, the next call continues.
 */
export const sealClearNonces = async (deps: Pick<ApprovalDeps, 'storage' | 'encryptionKeys' | 'random'>): Promise<number> => {
  const { confirmations } = deps.storage
  let sealed = 0
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const clear = await confirmations.withClearNonce(BATCH)
    if (clear.length > 0) {
      sealed += await confirmations.sealNonces(clear.map(({ id, nonce }) => ({ id, nonce: sealNonce(deps, id, nonce) })))
    }
    if (clear.length < BATCH) break
  }
  return sealed
}
