import { make } from './bank-page.js'
import { day, list, money } from './words.js'

const reasons = {
  rejected: 'Rejected on the phone',
  expired: 'Nobody approved in time',
  not_covered: 'The account has not enough money',
}
const approvers = { nobody: 'no approval needed', phone: 'approved on the phone', 'two people': 'approved by two people' }

const initials = (name) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map(([letter = '']) => letter.toUpperCase())
    .join('')

/** Shows a payment as one line: to whom, how much, and what each line below says. */
const row = ({ recipient, cents, isOwn, orderedBy }, className, state, ...more) => {
  const badge = make('span', 'badge', initials(recipient))
  badge.ariaHidden = 'true'
  const to = make(
    'span',
    'to',
    make('strong', '', recipient),
    make('span', 'quiet', isOwn ? '' : `Ordered by ${orderedBy}`),
    state,
  )
  return make('li', `payment ${className}`, badge, to, make('span', 'amount', `−${money(cents)}`), ...more)
}

/** Shows a payment that is booked or refused. */
export const paymentRow = (payment) => {
  const { state, reason, needs, bookedAt, orderedAt } = payment
  if (state === 'booked') return row(payment, '', make('span', 'quiet', `Booked ${day(bookedAt)} · ${approvers[needs]}`))
  const why = reasons[reason] ?? 'It was changed or used after the approval'
  return row(payment, 'refused', make('span', 'bad', `Not booked · ${why} · ${day(orderedAt)}`))
}

const waitsFor = ({ needs, isOwn, isAsked, isApproved, orderedBy, by }) => {
  if (isApproved) return 'Approved. The bank books it now.'
  if (needs === 'phone') return isOwn ? 'Waits for your approval on your phone' : `Waits for the approval of ${orderedBy}`
  const missing = by.length === 0 ? 'Waits for two approvals' : `Approved by ${list(by)}. One more is needed`
  return isAsked ? `${missing}: yours counts` : missing
}

/** Shows a payment that waits, with how far its approval is and a link for whoever is asked. */
export const progress = (payment, phones) => {
  const { approvalId, needs, by, isAsked } = payment
  const bar = Object.assign(make('progress', ''), { value: by.length, max: 2, ariaLabel: `${by.length} of 2 approvals` })
  const link = make('a', 'button main', phones.length > 0 ? 'Review and approve' : 'Set up your phone to approve')
  link.href = `/approve/#/request/${approvalId}`
  const state = make('span', 'note', waitsFor(payment))
  return row(payment, 'card', state, ...(needs === 'phone' ? [] : [bar]), ...(isAsked ? [link] : []))
}
