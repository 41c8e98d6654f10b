import { formValues } from '../form-values.ts'
import type { DeviceKey } from '../identity/device/device-key.ts'
import { ActionButton } from '../pane/action-button.tsx'
import { attempt } from '../pane/attempt.ts'
import type { Pane } from '../pane/pane.ts'
import type { Pending } from './challenge.ts'
import { approve } from './inbox.ts'

interface ApproveFormProps {
  readonly pane: Pane
  readonly deviceKey: DeviceKey
  readonly pending: Pending
}

/** The button that approves. With number matching, the person first types the number that the web page shows. */
export const ApproveForm = ({ pane, deviceKey, pending }: ApproveFormProps) =>
  pending.numberMatching ? (
    <form
      onSubmit={(event) => {
        const { matchNumber = '' } = formValues(event)
        void attempt(pane, () => approve(pane, deviceKey, pending, matchNumber))
      }}
    >
      <label>
        Number on the other screen
        <input name="matchNumber" required pattern="[0-9]{2}" maxLength={2} inputMode="numeric" autocomplete="off" />
      </label>
      <button type="submit" class="main" aria-disabled={pane.busy.value}>
        Approve
      </button>
    </form>
  ) : (
    <ActionButton pane={pane} kind="main" action={() => approve(pane, deviceKey, pending)}>
      Approve
    </ActionButton>
  )
