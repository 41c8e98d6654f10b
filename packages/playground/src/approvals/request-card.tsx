import { displayOf, type ShownDisplay } from '@countersign/client-sdk/display'
import { formValues } from '../form-values.ts'
import { attempt } from '../pane/attempt.ts'
import { pane } from '../pane/pane.ts'
import { now } from '../time/dates.ts'
import { showDuration } from '../time/show-duration.ts'
import { type Request, requestPayment, requests } from './requests.ts'

const tone = { pending: 'badge', approved: 'badge good', rejected: 'badge bad', expired: 'badge bad' } as const

/** The lines of a display. A person approves only what the page shows. */
const DisplayLines = ({ lines, language, direction }: Pick<ShownDisplay, 'lines' | 'language' | 'direction'>) => (
  <dl class="payload" lang={language} dir={direction}>
    {lines.map(({ label, value }, index) => (
      // The lines of a confirmation never change, and labels may repeat.
      <div key={index}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

const RequestItem = ({ request }: { readonly request: Request }) => (
  <li aria-label={`Payment ${request.confirmationId}`}>
    <p>
      <strong>Payment</strong>{' '}
      <span class={tone[request.status]} aria-live="polite">
        {request.status}
      </span>{' '}
      {request.status === 'pending' && (
        <span class="fine whole">expires in {showDuration(Date.parse(request.expiresAt) - now.value)}</span>
      )}
    </p>
    <DisplayLines {...displayOf(request, navigator.language)} />
    {request.status === 'rejected' && request.reason && <p>Reason: {request.reason}</p>}
    {request.status === 'pending' && request.matchNumber !== undefined && (
      <p>
        Type this number on the phone: <strong>{request.matchNumber}</strong>
      </p>
    )}
  </li>
)

/** The form in which the web application requests an approval, and the list of its requests. */
export const RequestCard = () => (
  <section class="card">
    <h3>Ask for approval of a payment</h3>
    <form
      onSubmit={(event) => {
        const { amount = '', currency = '', recipient = '', description = '', tenant, numberMatching } = formValues(event)
        const payment = { amount: Number(amount), currency, recipient, ...(description === '' ? {} : { description }) }
        const asked = { tenant: tenant || undefined, numberMatching: numberMatching !== undefined }
        void attempt(() => requestPayment(payment, asked))
      }}
    >
      <div class="fields">
        <label>
          Amount
          <input name="amount" type="number" min="0.01" step="0.01" required defaultValue="1250" inputMode="decimal" />
        </label>
        <label>
          Currency
          <input name="currency" required pattern="[A-Za-z]{3}" maxLength={3} defaultValue="EUR" />
        </label>
      </div>
      <label>
        Recipient
        <input name="recipient" required defaultValue="Ada’s Workshop" />
      </label>
      <button type="submit" class="main" aria-disabled={pane.busy.value}>
        Ask for approval
      </button>
      <details>
        <summary>More to ask with</summary>
        <label>
          Description (optional)
          <input name="description" defaultValue="" />
        </label>
        <label>
          Tenant (optional)
          <input name="tenant" pattern="[A-Za-z0-9._:\-]{1,64}" defaultValue="" />
        </label>
        <label class="check">
          <input name="numberMatching" type="checkbox" /> Show a number that must be typed on the phone
        </label>
      </details>
    </form>
    {requests.value.length > 0 && (
      <ul class="items" aria-label="Payments asked for">
        {requests.value.map((request) => (
          <RequestItem key={request.confirmationId} request={request} />
        ))}
      </ul>
    )}
  </section>
)
