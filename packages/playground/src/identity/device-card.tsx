import { ActionButton } from '../pane/action-button.tsx'
import { pane } from '../pane/pane.ts'
import { bearer } from '../pane/session.ts'
import { ownList } from '../shared/own-list.ts'
import { shortId, tellApart } from '../shared/tell-apart.ts'
import { showDate } from '../time/dates.ts'

const devices = ownList(async () => (await pane.client.devices.list({}, bearer())).devices)

const removeDevice = async ({ id, deviceName }: { readonly id: string; readonly deviceName: string }): Promise<string> => {
  await pane.client.devices.remove({ deviceId: id }, bearer())
  await devices.read()
  return `“${deviceName}” removed. Its sessions have ended.`
}

/** The user's devices. The phone registers itself. */
export const DeviceCard = () => {
  devices.useReading()
  const named = devices.items.value.map(({ id, deviceName }) => ({ id, name: deviceName }))
  return (
    <section class="card">
      <h3>Devices</h3>
      {devices.items.value.length === 0 ? (
        <p class="fine">None yet. The phone registers itself as one.</p>
      ) : (
        <ul class="items">
          {devices.items.value.map((device) => (
            <li key={device.id}>
              <p>
                <strong>{device.deviceName}</strong> <span class="badge">{device.deviceType}</span>{' '}
                {device.trusted === false && <span class="badge bad">on probation</span>}
              </p>
              <p class="fine">
                Registered {showDate(device.createdAt)},{' '}
                {device.lastUsedAt === null ? 'not used yet' : `last used ${showDate(device.lastUsedAt)}`},{' '}
                <span class="whole">id …{shortId(device.id)}</span>
              </p>
              <div class="actions">
                <ActionButton
                  kind="danger"
                  label={`Remove device ${tellApart({ id: device.id, name: device.deviceName }, named)}`}
                  action={() => removeDevice(device)}
                >
                  Remove
                </ActionButton>
              </div>
            </li>
          ))}
        </ul>
      )}
      <div class="actions">
        <ActionButton action={() => devices.read().then(() => 'Devices read again.')}>Read again</ActionButton>
      </div>
    </section>
  )
}
