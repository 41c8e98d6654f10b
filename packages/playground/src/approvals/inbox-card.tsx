import type { DeviceKey } from '../identity/device/device-key.ts'
import type { Pane } from '../pane/pane.ts'
import { settled, waiting } from './inbox.ts'
import { SettledItem } from './settled-item.tsx'
import { WaitingItem } from './waiting-item.tsx'

interface InboxCardProps {
  readonly pane: Pane
  readonly deviceKey: DeviceKey
}

/** The confirmations that wait for this phone, and the confirmations that the phone has settled. */
export const InboxCard = ({ pane, deviceKey }: InboxCardProps) => (
  <section class="card inbox">
    <h3>Waiting for you</h3>
    <p aria-live="polite" class="fine">
      {waiting.value.length === 0 ? 'Nothing. Requests of the web pane appear here.' : `${waiting.value.length} to answer`}
    </p>
    <ul class="items" aria-label="Waiting for you">
      {waiting.value.map((one) => (
        <WaitingItem key={one.pending.confirmationId} pane={pane} deviceKey={deviceKey} waiting={one} />
      ))}
    </ul>
    {settled.value.length > 0 && (
      <>
        <h3>Answered</h3>
        <ul class="items" aria-label="Answered">
          {settled.value.map((one) => (
            <SettledItem key={one.pending.confirmationId} pane={pane} deviceKey={deviceKey} settled={one} />
          ))}
        </ul>
      </>
    )}
  </section>
)
