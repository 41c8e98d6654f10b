import { pane } from '../../pane/pane.ts'
import { bearer } from '../../pane/session.ts'
import { ownList } from '../../shared/own-list.ts'

export const devices = ownList(async () => (await pane.client.devices.list({}, bearer())).devices)

export const removeDevice = async ({ id, deviceName }: { readonly id: string; readonly deviceName: string }): Promise<string> => {
  await pane.client.devices.remove({ deviceId: id }, bearer())
  await devices.read()
  return `“${deviceName}” removed. Its sessions have ended.`
}
