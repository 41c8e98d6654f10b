import type { ApprovalDeps } from '../deps.ts'
import { sealNonce } from './sealed-fields.ts'

/** Confirmations of one step: few enough that other writers get their turn between two steps. */
const BATCH = 200
const MAX_BATCHES = 50

/**
 * Encrypts nonces that earlier versions stored in clear, at most 10,000 of them, and returns how many it encrypted. Several
 * processes may do so at once, and one that is interrupted goes on with the next call: each confirmation is changed by one
 * conditional statement.
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
