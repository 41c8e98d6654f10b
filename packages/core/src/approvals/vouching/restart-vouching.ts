import type { Checked } from '@countersign/contract'
import { type Caller, InsufficientTrustLevel } from '../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { deviceThumbprint } from '../../identity/devices/device-signature.ts'
import { DeviceAlreadyTrusted, DeviceNotFound } from '../../identity/devices/errors.ts'
import { PasskeyAlreadyTrusted, PasskeyNotFound } from '../../identity/passkeys/errors.ts'
import { loadCeremonies } from '../../identity/passkeys/load-ceremonies.ts'
import { type Bound, isSameBound, reaches } from '../../identity/records/bound.ts'
import { isTrusted } from '../../identity/records/trust.ts'
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

type Subject = Pick<OnProbation, 'kind' | 'id' | 'name' | 'type' | 'keyThumbprint' | 'tenants'>

/**
 * Starts the vouching for a device again, for a trusted device or passkey, the device itself, or the session that registered it: at
 * most `RESTARTS_PER_DAY` times. A signer that is not bound may do so also for a trusted device that is, because the approval ends
 * the bound. The earlier confirmation is rejected without further effect.
 * @throws InsufficientTrustLevel, DeviceNotFound, DeviceAlreadyTrusted, InvalidAccessToken, NoTrustedDevice, TooManyVouchings
 * @example const { expiresAt } = await countersign.vouching.restart({ caller, deviceId })
 */
export function restartVouching(deps: ApprovalDeps, input: Checked<'devices.vouch'> & FromDevice): Promise<Restarted> {
  return restart(deps, input, { kind: 'device', subjectId: input.deviceId }, async (tx, tenants, now) => {
    const device = await tx.devices.ofUser(input.caller.userId, input.deviceId)
    if (device === undefined || !reaches(tenants, device.tenants)) throw new DeviceNotFound()
    if (isTrusted(device, now) && isSameBound(tenants, device.tenants)) throw new DeviceAlreadyTrusted()
    const { id, deviceName: name, deviceType: type } = device
    return { kind: 'device', id, name, type, keyThumbprint: deviceThumbprint(device), tenants: device.tenants }
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
  return restart(deps, input, { kind: 'passkey', subjectId: input.credentialId }, async (tx, tenants, now) => {
    const passkey = (await tx.passkeys.allOfUser(input.caller.userId)).find(({ id }) => id === input.credentialId)
    if (passkey === undefined || !reaches(tenants, passkey.tenants)) throw new PasskeyNotFound()
    if (isTrusted(passkey, now) && isSameBound(tenants, passkey.tenants)) throw new PasskeyAlreadyTrusted()
    const { id, name } = passkey
    return { kind: 'passkey', id, name, type: 'passkey', keyThumbprint: passkeyThumbprint(passkey), tenants: passkey.tenants }
  })
}

const restart = async (
  deps: ApprovalDeps,
  input: FromDevice,
  named: Pick<VouchingSubject, 'kind' | 'subjectId'>,
  findSubject: (tx: IdentityStores, tenants: Bound, now: Instant) => Promise<Subject>,
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
    const subject = await findSubject(tx, facts.session.tenants, now)
    if ((await ableToVouch(deps, tx, { userId, tenants: subject.tenants, now })).length === 0) throw new NoTrustedDevice()
    const counted = withRestart(before, now)
    if (before?.confirmationId != null) {
      const rejected = { outcome: 'rejected', deviceId: null, rejectReason: null, now } as const
      await tx.approvals.settle({ ...rejected, id: before.confirmationId, userId })
    }
    return newVouching(deps, tx, {
      ...subject,
      ...counted,
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
