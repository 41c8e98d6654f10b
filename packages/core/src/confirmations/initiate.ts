import { type Checked, limits } from '@countersign/contract'
import type { Caller } from '../auth/caller.ts'
import { toBase64 } from '../crypto/base64.ts'
import type { Deps } from '../deps.ts'
import { Invalid } from '../errors.ts'
import { toIsoTimestamp } from '../ports/clock.ts'
import { randomUuid } from '../ports/random.ts'
import { notifyDevices } from '../push/notify-devices.ts'
import type { Confirmation } from './confirmation.ts'
import { confirmationChallenge } from './confirmation-challenge.ts'
import { TooManyPendingConfirmations } from './errors.ts'
import { sealPayload } from './sealed-fields.ts'

type InitiateDeps = Pick<
  Deps,
  'storage' | 'clock' | 'random' | 'options' | 'encryptionKeys' | 'push' | 'background' | 'logger'
>

export type Initiate = Checked<'confirmations.initiate'> & {
  readonly caller: Pick<Caller, 'userId'>
  /** The payload's JSON as it was received, kept to the byte. Left out, the payload is written anew. */
  readonly actionPayloadText?: string | undefined
}

/**
 * Asks for an action to be confirmed: keeps it, commits a challenge to it, and tells the user's devices once the answer
 * is on its way. @throws Invalid for a payload over 4096 bytes, TooManyPendingConfirmations
 */
export const initiate = async (deps: InitiateDeps, input: Initiate): Promise<Confirmation> => {
  const { storage, clock, random, options, background } = deps
  const { actionType, actionPayload, caller } = input
  const payloadText = input.actionPayloadText ?? JSON.stringify(actionPayload)
  if (Buffer.byteLength(payloadText, 'utf8') > limits.actionPayloadBytes) {
    throw new Invalid({ actionPayload: `must be at most ${limits.actionPayloadBytes} bytes of JSON` })
  }

  const now = clock.now()
  const expiresAt = now + options.confirmationLifetime
  const id = `conf_${randomUuid(random)}`
  const nonce = random.bytes(64)
  const statement = { confirmationId: id, userId: caller.userId, actionType, actionPayload, expiresAt: toIsoTimestamp(expiresAt) }
  const confirmation: Confirmation = {
    id,
    userId: caller.userId,
    actionType,
    payload: sealPayload(deps, id, payloadText),
    nonce: toBase64(nonce),
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
