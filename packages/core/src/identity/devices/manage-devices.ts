import { type Checked, type DeviceType, deviceTypes } from '@countersign/contract'
import * as z from 'zod'
import { trueOrFalse } from '../../shared/input-schemas.ts'
import { type ListAll, listAllShape, type Page } from '../../shared/list-page.ts'
import type { IdentityStorage, TimedStorage } from '../base-deps.ts'
import type { NotifyOfChangeDeps } from '../push/notify-of-change.ts'
import type { Device, PagedDevice } from '../records/device.ts'
import type { BoundCaller, InSession } from '../sessions/bound-of-caller.ts'
import type { EndingDeps } from '../sessions/undo-ended-sessions.ts'
import { listSigners, removeSigner, trustSigner } from '../signers/manage-signers.ts'
import { type WithTrust, withTrust } from '../trust/with-trust.ts'
import { listAll, type WithEmail } from '../user-model/list-all.ts'
import { type ByEmail, requireUser } from '../user-model/require-user.ts'
import { DeviceNotFound } from './errors.ts'

/**
 * The caller's devices, oldest first, with whether each is trusted now; of a bound caller, those with its bound. @throws Invalid
 * @example const devices = await countersign.devices.list({ caller })
 */
export async function listDevices(
  deps: TimedStorage,
  { caller }: { readonly caller: BoundCaller },
): Promise<readonly WithTrust<Device>[]> {
  return listSigners(deps, caller, deps.storage.devices)
}

/**
 * Removes a device of the caller, ends its sessions, and undoes their work, in one transaction. The fingerprint can be registered
 * again. The removed device and the user's other devices are notified.
 * @throws DeviceNotFound, also for a device of another user, or that a bound caller does not reach
 * @throws InvalidAccessToken if the session of the caller has ended
 * @example await countersign.devices.remove({ caller, deviceId })
 */
export async function removeDevice(deps: EndingDeps, { caller, deviceId }: Checked<'devices.remove'> & InSession): Promise<void> {
  await removeSigner(deps, caller, { kind: 'device', id: deviceId, NotFound: DeviceNotFound })
}

/**
 * The devices of the user with this email, oldest first, for admins. @throws UserNotFound
 * @example const devices = await countersign.devices.listOfUser({ email: 'ada@example.com' })
 */
export async function listDevicesOfUser(deps: TimedStorage, { email }: ByEmail): Promise<readonly WithTrust<Device>[]> {
  const { id: userId } = await requireUser(deps, email)
  return listSigners(deps, { userId }, deps.storage.devices)
}

/** The input of a list of devices across users. */
export interface ListAllDevices extends ListAll {
  /** Lists the removed devices instead of the active ones. */
  readonly removed?: boolean | undefined
  /** Only devices of this type. */
  readonly deviceType?: DeviceType | undefined
}

export const listAllDevicesShape = {
  ...listAllShape,
  removed: trueOrFalse.optional(),
  deviceType: z.enum(deviceTypes, { error: `must be one of ${deviceTypes.join(', ')}` }).optional(),
}

/** A device, also a removed one, with the email of the user. A removed device is never trusted. */
export type ListedDevice = WithEmail<WithTrust<PagedDevice>>

/**
 * Returns a page of the devices of all users, newest first, for an administrator. @throws UserNotFound
 * @example const { items } = await countersign.devices.listAll({ deviceType: 'mobile', limit: 50 })
 */
export function listAllDevices(deps: TimedStorage, input: ListAllDevices): Promise<Page<ListedDevice>> {
  const { removed = false, deviceType, ...listed } = input
  return listAll(deps, listed, async (page) => {
    const devices = await deps.storage.devices.page({ ...page, removed, deviceType })
    const now = deps.clock.now()
    return devices.map((device) => ({ ...device, trusted: !removed && withTrust(device, now).trusted }))
  })
}

/** @throws DeviceNotFound */
const deviceOfAdmin = async ({ storage }: IdentityStorage, id: string): Promise<Device> => {
  const device = await storage.devices.byId(id)
  if (device === undefined) throw new DeviceNotFound()
  return device
}

/**
 * Removes a device of any user by its id, for admins. Has the same effect as a removal by the user. @throws DeviceNotFound
 * @example await countersign.devices.revoke({ id: device.id })
 */
export async function revokeDevice(deps: EndingDeps, { id }: { readonly id: string }): Promise<Device> {
  const device = await deviceOfAdmin(deps, id)
  await removeSigner(deps, { userId: device.userId }, { kind: 'device', id: device.id, NotFound: DeviceNotFound })
  return device
}

/**
 * Makes a device of any user trusted, for admins, and cancels the cooling-off periods of the user. A bound device is bound no
 * longer. The user's devices are notified. @throws DeviceNotFound, NothingToChange if it is trusted and not bound
 * @example await countersign.devices.trust({ id: device.id })
 */
export async function trustDevice(deps: NotifyOfChangeDeps, input: { readonly id: string }): Promise<WithTrust<Device>> {
  const { id, userId } = await deviceOfAdmin(deps, input.id)
  const named = { kind: 'device', id, NotFound: DeviceNotFound } as const
  return trustSigner(deps, userId, named, () => deps.storage.devices.byId(id))
}
