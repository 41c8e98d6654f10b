import type { Checked } from '@countersign/contract'
import { type Caller, InsufficientTrustLevel } from '../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { deviceThumbprint } from '../../identity/devices/device-signature.ts'
import { DeviceAlreadyTrusted, DeviceNotFound } from '../../identity/devices/errors.ts'
import { PasskeyAlreadyTrusted, PasskeyNotFound } from '../../identity/passkeys/errors.ts'
import { loadCeremonies } from '../../identity/passkeys/load-ceremonies.ts'
import { isSameBound, reaches } from '../../identity/records/bound.ts'
import { isTrusted, type Trust } from '../../identity/records/trust.ts'
import type { IdentityStores } from '../../identity/stores.ts'
import type { OnProbation, StartedVouching } from '../../identity/trust/vouching-port.ts'
import type { Instant } from '../../shared/clock.ts'
import { type FromClient, seenClient } from '../../shared/from-client.ts'
import { notifyDevices } from '../confirmations/notify-devices.ts'
import { requireSigner, signerOf } from '../confirmations/signatures/signers.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { VouchingSubject } from '../records/vouching.ts'
import { ableToVouch, NoTrustedDevice } from './able-to-vouch.ts'
import { newVouching } from './new-vouching.ts'
import { isOfSubject, withRestart } from './restarts.ts'

type FromDevice = FromClient & { readonly caller: Caller }

type Restarted = StartedVouching & { readonly expiresAt: Instant }

/** A device or passkey that the caller names, with the errors for one that is not there or needs no vouching. */
interface NamedSubject extends Pick<VouchingSubject, 'kind' | 'subjectId'> {
  readonly NotFound: new () => Error
  readonly AlreadyTrusted: new () => Error
}

interface Subject extends Trust, Pick<OnProbation, 'id' | 'name' | 'type' | 'tenants'> {
  readonly keyThumbprint: () => string
}

/**
 * Starts the vouching for a device again, for a trusted device or passkey, the device itself, or the session that registered it: at
 * most `RESTARTS_PER_DAY` times. A signer that is not bound may do so also for a trusted device that is, because the approval ends
 * the bound. The earlier confirmation is rejected without further effect.
 * @throws InsufficientTrustLevel, DeviceNotFound, DeviceAlreadyTrusted, InvalidAccessToken, NoTrustedDevice, TooManyVouchings
 * @example const { expiresAt } = await countersign.vouching.restart({ caller, deviceId })
 */
export function restartVouching(deps: ApprovalDeps, input: Checked<'devices.vouch'> & FromDevice): Promise<Restarted> {
  const errors = { NotFound: DeviceNotFound, AlreadyTrusted: DeviceAlreadyTrusted }
  return restart(deps, input, { kind: 'device', subjectId: input.deviceId, ...errors }, async (tx) => {
    const device = await tx.devices.ofUser(input.caller.userId, input.deviceId)
    return (
      device && { ...device, name: device.deviceName, type: device.deviceType, keyThumbprint: () => deviceThumbprint(device) }
    )
  })
}

/**
 * Starts the vouching for a passkey again, as for a device.
 * @throws InsufficientTrustLevel, PasskeyNotFound, PasskeyAlreadyTrusted, InvalidAccessToken, NoTrustedDevice, TooManyVouchings
 * @example const { expiresAt } = await countersign.vouching.restartOfPasskey({ caller, credentialId })
 */
export async function restartPasskeyVouching(
  deps: ApprovalDeps,
  input: Checked<'passkeys.vouch'> & FromDevice,
): Promise<Restarted> {
  const { passkeyThumbprint } = await loadCeremonies()
  const errors = { NotFound: PasskeyNotFound, AlreadyTrusted: PasskeyAlreadyTrusted }
  return restart(deps, input, { kind: 'passkey', subjectId: input.credentialId, ...errors }, async (tx) => {
    const passkey = (await tx.passkeys.allOfUser(input.caller.userId)).find(({ id }) => id === input.credentialId)
    return passkey && { ...passkey, type: 'passkey', keyThumbprint: () => passkeyThumbprint(passkey) }
  })
}

const restart = async (
  deps: ApprovalDeps,
  input: FromDevice,
  { NotFound, AlreadyTrusted, ...named }: NamedSubject,
  find: (tx: IdentityStores) => Promise<Subject | undefined>,
): Promise<Restarted> => {
  const { storage, clock, background } = deps
  const { caller } = input
  const { userId, sessionId } = caller
  const now = clock.now()
  const { confirmation, matchNumber } = await storage.transaction(async (tx) => {
    const facts = await tx.trust.enrolmentFacts({ userId, sessionId, rememberedSince: now, now })
    if (facts === undefined) throw new InvalidAccessToken()
    const before = await tx.vouchings.find({ userId, ...named })
    if (!isOfSubject(await tx.sessions.byId(sessionId), named, before)) {
      requireSigner(deps, caller)
      if (!isTrusted(facts.session, now)) throw new InsufficientTrustLevel()
    }
    const subject = await find(tx)
    const { tenants } = facts.session
    if (subject === undefined || !reaches(tenants, subject.tenants)) throw new NotFound()
    if (isTrusted(subject, now) && isSameBound(tenants, subject.tenants)) throw new AlreadyTrusted()
    if ((await ableToVouch(deps, tx, { userId, tenants: subject.tenants, now })).length === 0) throw new NoTrustedDevice()
    const counted = withRestart(before, now)
    if (before?.confirmationId != null) {
      const rejected = { outcome: 'rejected', deviceId: null, rejectReason: null, now } as const
      await tx.approvals.settle({ ...rejected, id: before.confirmationId, userId })
    }
    return newVouching(deps, tx, {
      ...subject,
      keyThumbprint: subject.keyThumbprint(),
      ...counted,
      kind: named.kind,
      userId,
      requestedFrom: seenClient(input),
      registeredBy: before?.registeredBy ?? null,
      startedByRegistration: before?.startedByRegistration ?? false,
      now,
    })
  })
  background.run(() => notifyDevices(deps, confirmation))
  const isApprover = signerOf(deps, caller) !== undefined
  return { confirmationId: confirmation.id, matchNumber: isApprover ? null : matchNumber, expiresAt: confirmation.expiresAt }
}
