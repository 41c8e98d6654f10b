import { displayOf } from '@countersign/client-sdk/display'
import { formValues } from '../form-values.ts'
import type { DeviceKey } from '../identity/device/device-key.ts'
import { ActionButton } from '../pane/action-button.tsx'
import { attempt } from '../pane/attempt.ts'
import type { Pane } from '../pane/pane.ts'
import { now } from '../time/dates.ts'
import { showDuration } from '../time/show-duration.ts'
import { ApproveForm } from './approve-form.tsx'
import { DisplayLines } from './display-lines.tsx'
import { disown, reject, TamperedConfirmation, type Waiting } from './inbox.ts'

interface WaitingItemProps {
  readonly pane: Pane
  readonly deviceKey: DeviceKey
  readonly waiting: Waiting
}

/** Returns whether the lines of the action name the client already, as those of a new device do. */
const showsClient = ({ actionPayload, requestedFrom }: Waiting['pending']): boolean => {
  const { requestedFrom: shown } = actionPayload as { readonly requestedFrom?: typeof requestedFrom }
  return shown?.address === requestedFrom?.address && shown?.userAgent === requestedFrom?.userAgent
}

/** A confirmation that waits for the phone: its action, the check of its challenge, and the two answers. */
export const WaitingItem = ({ pane, deviceKey, waiting: { pending, genuine } }: WaitingItemProps) => (
  <li>
    <p>
      <strong>{displayOf(pending, navigator.language).title}</strong>{' '}
      <span class="fine whole">expires in {showDuration(Date.parse(pending.expiresAt) - now.value)}</span>
    </p>
    <DisplayLines {...displayOf(pending, navigator.language)} />
    {pending.requestedFrom !== null && !showsClient(pending) && (
      <p class="fine">
        Asked from {pending.requestedFrom.address ?? 'an unknown address'} with{' '}
        {pending.requestedFrom.userAgent ?? 'an unknown program'}
      </p>
    )}
    {genuine ? (
      <p class="fine">This page computed the challenge from the action shown here, and the challenge is the same.</p>
    ) : (
      <p class="refused" role="alert">
        {new TamperedConfirmation().message}
      </p>
    )}
    {genuine && <ApproveForm pane={pane} deviceKey={deviceKey} pending={pending} />}
    <form
      onSubmit={(event) => {
        const { reason = '' } = formValues(event)
        void attempt(pane, () => reject(pane, pending, reason.trim()))
      }}
    >
      <label>
        Reason (optional)
        <input name="reason" maxLength={1000} defaultValue="" />
      </label>
      <button type="submit" class="danger" aria-disabled={pane.busy.value}>
        Reject
      </button>
    </form>
    <div class="actions">
      <ActionButton pane={pane} kind="danger" action={() => disown(pane, pending)}>
        I did not ask for this
      </ActionButton>
    </div>
  </li>
)
