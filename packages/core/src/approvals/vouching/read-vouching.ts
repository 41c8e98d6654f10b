import type { ConfirmationStatus } from '@countersign/contract'
import type { Caller } from '../../identity/authentication/caller.ts'
import { DeviceNotFound } from '../../identity/devices/errors.ts'
import { PasskeyNotFound } from '../../identity/passkeys/errors.ts'
import type { Instant } from '../../shared/clock.ts'
import { confirmationFields } from '../confirmations/sealed-fields.ts'
import { signerOf } from '../confirmations/signatures/signers.ts'
import type { ApprovalDeps, ByCaller } from '../deps.ts'
import { statusAt } from '../records/confirmation.ts'
import type { VouchingSubject } from '../records/vouching.ts'
import { isOfSubject, isOwnSession, triesLeft } from './restarts.ts'

/** The vouching for a device or passkey, as the side that shows its number reads it. */
export interface VouchingState {
  /** `none` if no vouching was started. */
  readonly status: ConfirmationStatus | 'none'
  /** The number in force; `null` unless the vouching is pending, and for a session that could approve it. */
  readonly matchNumber: string | null
  readonly expiresAt: Instant | null
  /** How often the vouching can be started again now. */
  readonly triesLeft: number
}

/**
 * Returns the vouching for a device, with the number in force, to a session of the device and to the session that registered it.
 * @throws DeviceNotFound
 * @example const { status, matchNumber } = await countersign.vouching.read({ caller, deviceId })
 */
export const readVouching = (deps: ApprovalDeps, { caller, deviceId }: ByCaller<'devices.vouching'>): Promise<VouchingState> =>
  read(deps, caller, { kind: 'device', subjectId: deviceId }, () => new DeviceNotFound())

/**
 * Returns the vouching for a passkey, as for a device.
 * @throws PasskeyNotFound
 * @example const { status, matchNumber } = await countersign.vouching.readOfPasskey({ caller, credentialId })
 */
export const readPasskeyVouching = (
  deps: ApprovalDeps,
  { caller, credentialId }: ByCaller<'passkeys.vouching'>,
): Promise<VouchingState> => read(deps, caller, { kind: 'passkey', subjectId: credentialId }, () => new PasskeyNotFound())

const read = async (
  deps: ApprovalDeps,
  caller: Caller,
  subject: Pick<VouchingSubject, 'kind' | 'subjectId'>,
  notFound: () => Error,
): Promise<VouchingState> => {
  const { storage, clock } = deps
  const { userId, sessionId } = caller
  const now = clock.now()
  const vouching = await storage.vouchings.find({ userId, ...subject })
  const session = await storage.sessions.byId(sessionId)
  if (!isOfSubject(session, subject, vouching)) throw notFound()
  const left = triesLeft(vouching, now)
  const id = vouching?.confirmationId
  const confirmation = id == null ? undefined : await storage.confirmations.byId(id)
  if (confirmation === undefined) return { status: 'none', matchNumber: null, expiresAt: null, triesLeft: left }
  const status = statusAt(confirmation, now)
  const { matchNumber: sealed, expiresAt } = confirmation
  // A device that is bound to tenants may be trusted already. It reads the number by which an unbound one ends its bound.
  const isApprover = signerOf(deps, caller) !== undefined && !isOwnSession(session, subject)
  const isShown = status === 'pending' && sealed !== null && !isApprover
  const matchNumber = isShown ? confirmationFields.matchNumber.open(deps, confirmation.id, sealed) : null
  return { status, matchNumber, expiresAt, triesLeft: left }
}
