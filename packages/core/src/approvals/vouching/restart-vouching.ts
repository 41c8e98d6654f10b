import type { Checked } from '@countersign/contract'
import { type Caller, InsufficientTrustLevel, requireDevice } from '../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { deviceThumbprint } from '../../identity/devices/device-thumbprint.ts'
import { DeviceAlreadyTrusted, DeviceNotFound } from '../../identity/devices/errors.ts'
import { type FromClient, seenClient } from '../../identity/login/from-client.ts'
import { isTrusted } from '../../identity/trust/trust.ts'
import type { StartedVouching } from '../../identity/trust/vouching-port.ts'
import type { Instant } from '../../shared/clock.ts'
import type { NewConfirmationDeps } from '../confirmations/build-confirmation.ts'
import { notifyDevices } from '../confirmations/notify-devices.ts'
import type { ApprovalDeps } from '../deps.ts'
import { newVouching } from './new-vouching.ts'

type RestartDeps = NewConfirmationDeps & Pick<ApprovalDeps, 'storage' | 'clock' | 'push' | 'logger' | 'background' | 'observer'>

/**
 * Starts the vouching for a device on probation again, on the request of a trusted device. The earlier confirmation is
 * rejected, without further effect. A rejection of the new one still ends the session that registered the device.
 *
 * @throws InsufficientTrustLevel, DeviceNotFound, DeviceAlreadyTrusted, InvalidAccessToken
 */
export const restartVouching = async (
  deps: RestartDeps,
  input: Checked<'devices.vouch'> & FromClient & { readonly caller: Caller },
): Promise<StartedVouching & { readonly expiresAt: Instant }> => {
  const { storage, clock, background } = deps
  const { caller, deviceId } = input
  requireDevice(caller)
  const { userId, sessionId } = caller
  const now = clock.now()
  const { confirmation, matchNumber } = await storage.transaction(async (tx) => {
    const facts = await tx.trust.enrolmentFacts({ userId, sessionId, rememberedSince: now, now })
    if (facts === undefined) throw new InvalidAccessToken()
    if (!isTrusted(facts.session, now)) throw new InsufficientTrustLevel()
    const device = await tx.devices.ofUser(userId, deviceId)
    if (device === undefined) throw new DeviceNotFound()
    if (isTrusted(device, now)) throw new DeviceAlreadyTrusted()
    const subject = { userId, kind: 'device', subjectId: deviceId } as const
    const before = await tx.vouchings.ofSubject(subject)
    if (before?.confirmationId != null) {
      const rejected = { outcome: 'rejected', deviceId: null, rejectReason: null, now } as const
      await tx.confirmations.settle({ ...rejected, id: before.confirmationId, userId })
    }
    return newVouching(deps, tx, {
      kind: 'device',
      userId,
      id: deviceId,
      name: device.deviceName,
      type: device.deviceType,
      keyThumbprint: deviceThumbprint(device),
      requestedFrom: seenClient(input),
      registeredBy: before?.registeredBy ?? null,
      startedByRegistration: before?.startedByRegistration ?? false,
      now,
    })
  })
  background.run(() => notifyDevices(deps, confirmation))
  return { confirmationId: confirmation.id, matchNumber, expiresAt: confirmation.expiresAt }
}
