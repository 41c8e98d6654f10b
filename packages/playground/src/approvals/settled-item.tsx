import { displayOf } from '@countersign/client-sdk/display'
import type { DeviceKey } from '../identity/device/device-key.ts'
import { ActionButton } from '../pane/action-button.tsx'
import type { Pane } from '../pane/pane.ts'
import { DisplayLines } from './display-lines.tsx'
import { type Settled, useAgain } from './inbox.ts'
import { ReceiptView } from './receipt-view.tsx'

interface SettledItemProps {
  readonly pane: Pane
  readonly deviceKey: DeviceKey
  readonly settled: Settled
}

/** A confirmation that this phone has settled. An approval has its receipt, and a button that sends it a second time. */
export const SettledItem = ({ pane, deviceKey, settled }: SettledItemProps) => (
  <li>
    <p>
      <strong>{displayOf(settled.pending, navigator.language).title}</strong>{' '}
      <span class={settled.outcome === 'approved' ? 'badge good' : 'badge bad'}>{settled.outcome}</span>
    </p>
    <DisplayLines {...displayOf(settled.pending, navigator.language)} />
    {settled.signedChallenge !== undefined && (
      <div class="actions">
        <ActionButton pane={pane} action={() => useAgain(pane, deviceKey, settled)}>
          Use it again
        </ActionButton>
      </div>
    )}
    <ReceiptView confirmationId={settled.pending.confirmationId} />
  </li>
)
