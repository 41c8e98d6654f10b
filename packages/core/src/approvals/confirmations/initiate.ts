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
  /** The JSON of the payload, from `readPayload`. */
  readonly actionPayloadText: string
}

/**
 * Creates a pending confirmation of an action. The user's devices get a push message after the response is sent.
 *
 * @throws Invalid (see `requireCanonical`), TooManyPendingConfirmations
 */
export const initiate = async (deps: InitiateDeps, input: Initiate): Promise<Confirmation> => {
  const { storage, clock, random, options, background } = deps
  const { actionType, actionPayloadText, caller } = input
  // The text is stored and shown, so the challenge must be computed from the text. The checked object has another member order.
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
