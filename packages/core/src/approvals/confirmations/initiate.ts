import type { Checked } from '@countersign/contract'
import type { Caller } from '../../identity/authentication/caller.ts'
import { toIsoTimestamp } from '../../shared/clock.ts'
import { toBase64 } from '../../shared/crypto/base64.ts'
import { randomUuid } from '../../shared/random.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { Confirmation } from './confirmation.ts'
import { confirmationChallenge } from './confirmation-challenge.ts'
import { TooManyPendingConfirmations } from './errors.ts'
import { notifyDevices } from './notify-devices.ts'
import { requireCanonical } from './read-payload.ts'
import { sealNonce, sealPayload } from './sealed-fields.ts'

type InitiateDeps = Pick<
  ApprovalDeps,
  'storage' | 'clock' | 'random' | 'options' | 'encryptionKeys' | 'push' | 'background' | 'logger'
>

export type Initiate = Checked<'confirmations.initiate'> & {
  readonly caller: Pick<Caller, 'userId'>
  /** The payload's JSON, as `readPayload` gives it with the payload. */
  readonly actionPayloadText: string
}

/**
 * Asks for an action to be confirmed: keeps it, commits a challenge to it, and tells the user's devices once the answer
 * is on its way. @throws Invalid (see `requireCanonical`), TooManyPendingConfirmations
 */
export const initiate = async (deps: InitiateDeps, input: Initiate): Promise<Confirmation> => {
  const { storage, clock, random, options, background } = deps
  const { actionType, actionPayloadText, caller } = input
  // Parsed from the very text that is kept and shown: the checked object has its members in the contract's order.
  const actionPayload = JSON.parse(actionPayloadText) as Record<string, unknown>
  requireCanonical(actionPayload)

  const now = clock.now()
  const expiresAt = now + options.confirmationLifetime
  const id = `conf_${randomUuid(random)}`
  const nonce = random.bytes(64)
  const statement = { confirmationId: id, userId: caller.userId, actionType, actionPayload, expiresAt: toIsoTimestamp(expiresAt) }
  const confirmation: Confirmation = {
    id,
    userId: caller.userId,
    actionType,
    payload: sealPayload(deps, id, actionPayloadText),
    nonce: sealNonce(deps, id, toBase64(nonce)),
    challenge: confirmationChallenge(nonce, statement),
    status: 'pending',
    wrongSignatures: 0,
    deviceId: null,
    rejectReason: null,
    createdAt: now,
    expiresAt,
    updatedAt: now,
  }
  if (!(await storage.confirmations.initiate(confirmation, options.pendingConfirmationsPerUser))) {
    throw new TooManyPendingConfirmations()
  }
  background.run(() => notifyDevices(deps, confirmation))
  return confirmation
}
