import { find, make, send, showProblem, whenSignedIn } from './bank-page.js'
import { paymentRow, progress } from './payment-rows.js'
import { day, money } from './words.js'

let customer
/** The id of the payment that was ordered last. */
let ordered

/** Replaces the children of an element if the data behind them is new, so that the focus stays. */
const showNew = (element, data, rows) => {
  const text = JSON.stringify([data, day(new Date())])
  if (element.dataset.shown === text) return
  element.dataset.shown = text
  element.replaceChildren(...rows())
}

const showAccounts = ({ name, accounts }, waiting) => {
  const rows = accounts.map(({ id, name, cents }) => {
    const own = waiting.filter((payment) => payment.account === id).reduce((sum, payment) => sum + payment.cents, 0)
    return { id, name, cents, own }
  })
  showNew(find('#accounts'), [name, rows], () => [
    make('h1', 'quiet', `Hello, ${name}`),
    ...rows.map(({ name, cents, own }) =>
      make(
        'div',
        'account',
        make('p', '', `${name} · Business account`),
        make('p', 'balance', money(cents)),
        make('p', '', own > 0 ? `${money(own)} waits for approval and is not booked yet` : 'Nothing waits for approval'),
      ),
    ),
  ])
  const select = find('#order [name=account]')
  const chosen = select.value
  showNew(select, accounts, () => accounts.map(({ id, name, cents }) => new Option(`${name} – ${money(cents)}`, id)))
  if (chosen !== '') select.value = chosen
}

const showPhones = ({ phones }) => {
  showNew(find('#phones ul'), phones, () =>
    phones.map(({ name, registeredAt, trusted }) => {
      const state = trusted ? 'Approves payments' : 'Not yet confirmed on your other phone'
      return make('li', '', make('strong', '', name), make('span', 'quiet', `${state}. Registered ${day(registeredAt)}.`))
    }),
  )
  find('#phones p').textContent =
    phones.length > 0 ? '' : 'No phone is registered. Open this address on your phone, or try it in this browser.'
  find('#phones a').textContent = phones.length > 0 ? 'Open the approver' : 'Set up your phone'
}

const showPayments = ({ phones }, payments) => {
  const waiting = payments.filter(({ state }) => state === 'waiting')
  const done = payments.filter(({ state }) => state !== 'waiting')
  find('#waiting').hidden = waiting.length === 0
  find('#payments ul').hidden = done.length === 0
  find('.empty').hidden = payments.length > 0
  find('#payments').hidden = payments.length > 0 && done.length === 0
  showNew(find('#waiting ul'), [waiting, phones], () => waiting.map((payment) => progress(payment, phones)))
  showNew(find('#payments ul'), done, () => done.map(paymentRow))
}

const showHint = () => {
  const cents = Math.round(Number(find('#order [name=amount]').value) * 100)
  const { nobody, phone } = customer.limits
  find('#hint').textContent =
    cents > phone
      ? 'Two others who share the account approve this payment on their phones.'
      : cents > nobody
        ? 'You approve this payment on your phone.'
        : `Up to ${money(nobody)}, a payment is booked at once.`
}

const outcomes = { booked: 'is booked.', waiting: 'waits for approval.', refused: 'was not booked.' }

/** Says below the form what has become of the last order. */
const showOrdered = (payments) => {
  const last = payments.find(({ id }) => id === ordered)
  const text = last === undefined ? '' : `${money(last.cents)} to ${last.recipient} ${outcomes[last.state]}`
  const status = find('#order [role=status]')
  status.className = last?.state ?? ''
  if (status.textContent !== text) status.textContent = text
}

const update = whenSignedIn(async () => {
  const [read, { payments }] = await Promise.all([send('/accounts'), send('/payments')])
  customer = read
  showAccounts(
    customer,
    payments.filter(({ state }) => state === 'waiting'),
  )
  showPhones(customer)
  showPayments(customer, payments)
  showOrdered(payments)
  showHint()
})

find('#order').addEventListener('input', showHint)
find('#order').addEventListener('submit', (event) => {
  event.preventDefault()
  const form = event.target
  const { account, recipient, amount } = Object.fromEntries(new FormData(form))
  ordered = undefined
  showOrdered([])
  showProblem(async () => {
    ordered = (await send('/payments', { account, recipient, cents: Math.round(Number(amount) * 100) })).id
    form.reset()
    await update()
  }, '#order [role=alert]')
})
