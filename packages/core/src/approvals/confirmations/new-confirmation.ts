import type { ActionType } from '@countersign/contract'
import type { SeenClient } from '../../identity/login/from-client.ts'
import { type Instant, toIsoTimestamp } from '../../shared/clock.ts'
import { toBase64 } from '../../shared/crypto/base64.ts'
import { randomUuid } from '../../shared/random.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { Confirmation } from './confirmation.ts'
import { confirmationChallenge } from './confirmation-challenge.ts'
import { newMatchNumber } from './match-number.ts'
import { requireCanonical } from './read-payload.ts'
import { sealMatchNumber, sealNonce, sealOrigin, sealPayload } from './sealed-fields.ts'

export type NewConfirmationDeps = Pick<ApprovalDeps, 'random' | 'options' | 'encryptionKeys'>

/** The action of a new confirmation, and the client that asked for it. */
export interface NewConfirmation {
  readonly userId: number
  readonly actionType: ActionType
  /** The JSON of the payload. */
  readonly actionPayloadText: string
  readonly requestedFrom: SeenClient
  /** The session that asked; `null` where the service itself asks. */
  readonly requestedBy: string | null
  readonly numberMatching: boolean
}

/**
 * A new confirmation, and the number that the asking page shows. Only the answer to the request has the number: no later answer
 * shows it, to the device or to anybody else.
 */
export interface InitiatedConfirmation extends Omit<Confirmation, 'matchNumber'> {
  /** `00` to `99`; `null` without number matching. */
  readonly matchNumber: string | null
}

/**
 * Returns a pending confirmation, which is not stored yet, and its number in clear. The use case that stores the confirmation
 * decides which limits apply.
 *
 * @throws Invalid (see `requireCanonical`)
 */
export const newConfirmation = (
  deps: NewConfirmationDeps,
  { userId, actionType, actionPayloadText, requestedFrom, requestedBy, numberMatching }: NewConfirmation,
  now: Instant,
): { readonly confirmation: Confirmation; readonly matchNumber: string | null } => {
  const { random, options } = deps
  // The text is stored and shown, so the challenge must be computed from the text. The checked object has another member order.
  const actionPayload = JSON.parse(actionPayloadText) as Record<string, unknown>
  requireCanonical(actionPayload)

  const expiresAt = now + options.confirmationLifetime
  const id = `conf_${randomUuid(random)}`
  const nonce = random.bytes(64)
  const matchNumber = numberMatching ? newMatchNumber(random) : null
  const statement = { confirmationId: id, userId, actionType, actionPayload, expiresAt: toIsoTimestamp(expiresAt) }
  const confirmation: Confirmation = {
    id,
    userId,
    actionType,
    payload: sealPayload(deps, id, actionPayloadText),
    nonce: sealNonce(deps, id, toBase64(nonce)),
    challenge: confirmationChallenge(nonce, statement),
    requestedFrom: sealOrigin(deps, id, requestedFrom),
    requestedBy,
    matchNumber: matchNumber === null ? null : sealMatchNumber(deps, id, matchNumber),
    wrongMatchNumbers: 0,
    status: 'pending',
    wrongSignatures: 0,
    deviceId: null,
    rejectReason: null,
    createdAt: now,
    expiresAt,
    updatedAt: now,
  }
  return { confirmation, matchNumber }
}
