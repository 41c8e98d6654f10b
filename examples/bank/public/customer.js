import { find, send, showProblem, whenSignedIn } from './bank-page.js'

const euros = new Intl.NumberFormat('en', { minimumFractionDigits: 2 })
const waits = { phone: 'approve it on your phone', 'two people': 'waits for two people' }

const row = (...cells) => {
  const line = document.createElement('tr')
  for (const cell of cells) line.append(Object.assign(document.createElement('td'), { textContent: cell }))
  return line
}

const showPayments = async () => {
  const { payments } = await send('/payments')
  const rows = payments.map(({ recipient, cents, state, reason, needs }) =>
    row(recipient, euros.format(cents / 100), state === 'waiting' ? waits[needs] : `${state} ${reason ?? ''}`),
  )
  find('#payments').replaceChildren(...rows)
}

const everySecond = async () => {
  if (!find('main').hidden) await showPayments().catch(() => {})
  setTimeout(everySecond, 1000)
}

find('#order').addEventListener('submit', (event) => {
  event.preventDefault()
  const { account, recipient, amount } = Object.fromEntries(new FormData(event.target))
  showProblem(async () => {
    await send('/payments', { account, recipient, cents: Math.round(Number(amount) * 100) })
    await showPayments()
  })
})
find('#logout').addEventListener('click', () =>
  showProblem(async () => {
    await send('/logout', {})
    location.reload()
  }),
)

await whenSignedIn(({ name, accounts }) => {
  find('#name').textContent = name
  find('#order [name=account]').replaceChildren(
    ...accounts.map(({ id, name, cents }) => new Option(`${name}: ${euros.format(cents / 100)}`, id)),
  )
})
everySecond()
