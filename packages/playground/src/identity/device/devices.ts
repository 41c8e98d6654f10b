import type { Output } from '@countersign/contract'
import { signal } from '@preact/signals'
import type { Pane } from '../../pane/pane.ts'
import { bearer } from '../../pane/session.ts'

export type Device = Output<'devices.list'>['devices'][number]

/** The user's devices, as last read. */
export const devices = signal<readonly Device[]>([])

export const readDevices = async (pane: Pane): Promise<void> => {
  devices.value = (await pane.client.devices.list({}, bearer(pane))).devices
}

/** Clears the list, because the next user has other devices. */
export const forgetDevices = (): void => {
  devices.value = []
}

export const removeDevice = async (pane: Pane, { id, deviceName }: Device): Promise<string> => {
  await pane.client.devices.remove({ deviceId: id }, bearer(pane))
  await readDevices(pane)
  return `“${deviceName}” removed. Its sessions have ended.`
}
