import type { Statement } from '@countersign/contract'
import type { Displays } from '@countersign/contract/display'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import type { Instant } from '../../shared/clock.ts'
import { toBase64 } from '../../shared/crypto/base64.ts'
import { commitTo } from '../../shared/crypto/challenge-commitment.ts'
import { Invalid } from '../../shared/errors.ts'
import type { SeenClient } from '../../shared/from-client.ts'
import { type Random, randomUuid } from '../../shared/random.ts'
import type { ApprovalDeps, ConfirmationDeps } from '../deps.ts'
import type { Confirmation } from '../records/confirmation.ts'
import { type Payload, requireCanonical } from '../records/payload.ts'
import { type Asked, composeStatement, statementDomain, statementText } from '../records/statement.ts'
import { TooManyPendingConfirmations } from './errors.ts'
import { notifyDevices } from './notify-devices.ts'
import { confirmationFields } from './sealed-fields.ts'

/** This many wrong match numbers reject a confirmation. Two guesses of a hundred numbers succeed in 2 % of all cases. */
export const WRONG_MATCH_NUMBERS = 2

/** Returns a random number from `00` to `99`. All numbers are equally likely (up to 1 in 40 million). */
export const newMatchNumber = (random: Random): string => {
  const bytes = random.bytes(4)
  const value = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0)
  return String(value % 100).padStart(2, '0')
}

/** The facts of a new confirmation. By default it expires `Options.confirmationLifetime` from now, and the others are `null`. */
export interface NewConfirmation
  extends Pick<Confirmation, 'actionType' | 'actionTypeVersion' | 'requestedBy'>,
    Partial<Pick<Confirmation, 'boundTo' | 'initiatedBy' | 'expiresAt'>> {
  readonly subject: Statement['subject']
  readonly asked: Asked
  readonly payload: Payload
  readonly requestedFrom: SeenClient
  readonly numberMatching: boolean
  readonly display: Displays
  /** The approval request that the confirmation is a vote for. Its words are stored with the request. */
  readonly approval?: Statement['approval']
}

/** The answer to the caller that asked for a confirmation. No other answer ever has the match number. */
export interface InitiatedConfirmation extends Pick<Confirmation, 'id' | 'challenge' | 'expiresAt'> {
  /** `00` to `99`; `null` without number matching. */
  readonly matchNumber: string | null
}

/** Returns the text of a new statement. Only a text that cannot be written makes the payload be examined. @throws Invalid */
const textOf = (statement: Statement, payload: Payload): string => {
  try {
    return statementText(statement)
  } catch (error) {
    requireCanonical(payload.value)
    throw error
  }
}

/**
 * Returns a pending confirmation and its match number, not stored yet. The use case that stores it decides which limits apply.
 * @throws Invalid (see `requireCanonical`)
 */
export const buildConfirmation = (
  deps: ConfirmationDeps,
  asked: NewConfirmation,
  now: Instant,
): { readonly confirmation: Confirmation; readonly matchNumber: string | null } => {
  const { random, options } = deps
  const { subject, actionType, actionTypeVersion, payload, requestedFrom, requestedBy, numberMatching } = asked
  const { display, approval } = asked
  const expiresAt = asked.expiresAt ?? now + options.confirmationLifetime
  const id = `conf_${randomUuid(random)}`
  const nonce = random.bytes(64)
  const matchNumber = numberMatching ? newMatchNumber(random) : null
  const stored = { iss: deps.issuer(), subject, ...asked.asked, ...(approval && { approval }) }
  const stated = { id, createdAt: now, expiresAt, actionType, actionTypeVersion }
  const statement = composeStatement(stored, stated, payload, display)
  const confirmation: Confirmation = {
    ...stated,
    userId: subject.id,
    tenant: asked.asked.tenant,
    boundTo: asked.boundTo ?? null,
    payload: confirmationFields.payload.seal(deps, id, payload),
    nonce: confirmationFields.nonce.seal(deps, id, toBase64(nonce)),
    challenge: commitTo(statementDomain(statement), nonce, textOf(statement, payload)),
    statement: confirmationFields.statement.seal(deps, id, approval === undefined ? { ...stored, display } : stored),
    approvalId: approval?.id ?? null,
    delegatedBy: approval?.delegatedBy?.id ?? null,
    requestedFrom: confirmationFields.requestedFrom.seal(deps, id, requestedFrom),
    requestedBy,
    initiatedBy: asked.initiatedBy ?? null,
    matchNumber: matchNumber === null ? null : confirmationFields.matchNumber.seal(deps, id, matchNumber),
    wrongMatchNumbers: 0,
    status: 'pending',
    wrongSignatures: 0,
    deviceId: null,
    passkeyId: null,
    evidence: null,
    consumedAt: null,
    consumedBy: null,
    consumedKey: null,
    consumedReceipt: null,
    voidedAt: null,
    withdrawnAt: null,
    rejectReason: null,
    updatedAt: now,
  }
  return { confirmation, matchNumber }
}

const NEEDS_NUMBER = 'must be 1, because this approval needs the number that only an extended answer shows'

/**
 * Stores a new confirmation, below the limit of its initiator, or of its initiator in `countedTenant`. After the response, the
 * user's devices get a push message. A request can add number matching, but cannot switch it off for a host that requires it.
 * @throws Invalid also if the approval needs a number that the answer does not show; InvalidAccessToken,
 *   TooManyPendingConfirmations
 */
export const startConfirmation = async (
  deps: ApprovalDeps,
  {
    showsMatchNumber,
    ...asked
  }: Omit<NewConfirmation, 'actionTypeVersion' | 'display' | 'approval'> & { readonly showsMatchNumber: boolean },
  pendingLimit: number,
  countedTenant: string | null = null,
): Promise<InitiatedConfirmation> => {
  const { storage, clock, options, background, describeAction } = deps
  const numberMatching = options.numberMatching || asked.numberMatching
  if (numberMatching && !showsMatchNumber) throw new Invalid({ extended: NEEDS_NUMBER })
  const { actionType, payload } = asked
  const described = await describeAction({ actionType, actionPayload: payload.value, asked: asked.asked })
  const { confirmation, matchNumber } = buildConfirmation(deps, { ...asked, ...described, numberMatching }, clock.now())
  if (!(await storage.confirmations.initiate(confirmation, pendingLimit, countedTenant))) {
    const { requestedBy } = confirmation
    if (requestedBy !== null && !(await storage.sessions.hold(requestedBy, asked.subject.id))) throw new InvalidAccessToken()
    throw new TooManyPendingConfirmations()
  }
  background.run(() => notifyDevices(deps, confirmation))
  const { id, challenge, expiresAt } = confirmation
  return { id, challenge, expiresAt, matchNumber }
}
