import { type DeviceType, deviceTypes } from '@countersign/contract'
import * as z from 'zod'
import { trueOrFalse } from '../../shared/input-schemas.ts'
import { type ListAll, listAllShape, type Page } from '../../shared/list-page.ts'
import type { TimedStorage } from '../base-deps.ts'
import type { PagedDevice } from '../records/device.ts'
import { type WithTrust, withTrust } from '../trust/with-trust.ts'
import { listAll, type WithEmail } from '../user-model/list-all.ts'

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
export function listAllDevices(
  deps: TimedStorage,
  { removed = false, deviceType, ...input }: ListAllDevices,
): Promise<Page<ListedDevice>> {
  return listAll(deps, input, async (page) => {
    const devices = await deps.storage.devices.page({ ...page, removed, deviceType })
    const now = deps.clock.now()
    return devices.map((device) => ({ ...device, trusted: !removed && withTrust(device, now).trusted }))
  })
}
