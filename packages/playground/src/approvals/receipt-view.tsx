import { displayOf } from '@countersign/client-sdk/display'
import type { CheckedReceipt, ReceiptVerdict } from '@countersign/client-sdk/receipt'
import { showDate } from '../time/dates.ts'
import type { Change } from './change-character.ts'
import { DisplayLines } from './display-lines.tsx'
import { readableParts } from './readable-parts.ts'
import { receipts, restore, type ShownReceipt, tamper } from './receipts.ts'

/** The number of characters shown on each side of a changed one. */
const SURROUNDING = 24

type Facts = readonly (readonly [name: string, value: string])[]

const who = ({ statement, approver }: CheckedReceipt): string => {
  const user = statement === undefined ? 'A user whose number is not disclosed' : `User ${statement.subject.id}`
  if (approver === undefined) return user
  return `${approver.name === '' ? '' : `${approver.name}, `}${approver.email} (${user})`
}

const factsOf = (checked: CheckedReceipt): Facts => {
  const { statement, confirmation, device, registration, issuer, kid } = checked
  return [
    ['Who', who(checked)],
    ['What', statement === undefined ? 'Not disclosed' : displayOf(statement, navigator.language).title],
    ['When', showDate(confirmation.approvedAt)],
    ['Device', `${device.id}${typeof registration !== 'object' ? '' : `, registered ${showDate(registration.registeredAt)}`}`],
    ['Its key', `${device.algorithm}, ${device.keyThumbprint}`],
    ['Issuer', `${issuer}, key ${kid}`],
  ]
}

const sentence = (verdict: ReceiptVerdict): string => {
  if (verdict.verdict === 'refused') return `Refused at the step “${verdict.step}”: ${verdict.reason}.`
  if (verdict.verdict === 'partial')
    return `Genuine, except for the parts that were not checked: ${verdict.unchecked.join(', ')}.`
  return 'Genuine: this browser checked the issuer, the action, the signature of the device and its registration.'
}

const FactList = ({ verdict }: { readonly verdict: CheckedReceipt }) => (
  <>
    <dl class="payload">
      {factsOf(verdict).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
    {verdict.statement !== undefined && (
      <>
        <h4>The approved action</h4>
        <DisplayLines {...displayOf(verdict.statement, navigator.language)} />
      </>
    )}
  </>
)

/** A long text with a scroll bar, which the keyboard reaches. */
const Scrolling = ({ text }: { readonly text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: only a focused element scrolls by keyboard in every browser.
  <pre class="scrolling" tabIndex={0}>
    {text}
  </pre>
)

/** The changed character among its neighbours. */
const ChangedPlace = ({ text, change: { place, from, to } }: { readonly text: string; readonly change: Change }) => (
  <>
    <p class="fine">
      Character {place} of {text.length} was “{from}” and is now “{to}”:
    </p>
    <pre>
      {place - 1 > SURROUNDING && '…'}
      {text.slice(Math.max(0, place - 1 - SURROUNDING), place - 1)}
      <mark>{to}</mark>
      {text.slice(place, place + SURROUNDING)}
      {place + SURROUNDING < text.length && '…'}
    </pre>
  </>
)

const Texts = ({ text }: { readonly text: string }) => (
  <>
    <details>
      <summary>Parts of the receipt</summary>
      {readableParts(text).map(({ name, json }) => (
        <div key={name}>
          <h4>{name}</h4>
          <Scrolling text={json} />
        </div>
      ))}
    </details>
    <details>
      <summary>Raw text of the receipt</summary>
      <Scrolling text={text} />
    </details>
  </>
)

const Receipt = ({ confirmationId, shown }: { readonly confirmationId: string; readonly shown: ShownReceipt }) => {
  const { verdict, change, text } = shown
  return (
    <>
      <p aria-live="polite">
        <span class={verdict.verdict === 'refused' ? 'badge bad' : 'badge good'}>{verdict.verdict}</span> {sentence(verdict)}
      </p>
      {change !== undefined && <ChangedPlace text={text} change={change} />}
      {verdict.verdict !== 'refused' && <FactList verdict={verdict} />}
      <Texts text={text} />
      <div class="actions">
        <button type="button" class="plain" onClick={() => void tamper(confirmationId, shown)}>
          Change one byte
        </button>
        {change !== undefined && (
          <button type="button" class="plain" onClick={() => void restore(confirmationId, shown)}>
            Verify the original
          </button>
        )}
      </div>
    </>
  )
}

/** The receipt of an approved confirmation, verified in this browser with the published keys of the service. */
export const ReceiptView = ({ confirmationId }: { readonly confirmationId: string }) => {
  const shown = receipts.value.get(confirmationId)
  if (shown === undefined) return null
  return (
    <section aria-label="Receipt">
      <h4>Receipt</h4>
      {typeof shown === 'string' ? <p class="fine">{shown}</p> : <Receipt confirmationId={confirmationId} shown={shown} />}
    </section>
  )
}
