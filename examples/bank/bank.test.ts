import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { exportBookings, objectionsTo } from './testing/run-audit.ts'
import { enrol, openBrowser, type Person, type ShownPayment, signIn, startTestBank, type TestBank } from './testing/test-bank.ts'

const SMALL = 1_000_00
const MEDIUM = 50_000_00
const LARGE = 50_000_01
const START = 1_000_000_00

let bank: TestBank
let ada: Person
let grace: Person
let alan: Person
beforeAll(async () => {
  bank = await startTestBank()
  const emails = ['ada', 'grace', 'alan'].map((name) => `${name}@example.com`)
  ;[ada, grace, alan] = (await Promise.all(emails.map((email) => enrol(bank.url, email)))) as [Person, Person, Person]
})
afterAll(() => bank?.close())

const setBalance = (cents: number) => bank.database.query(`update bank.accounts set cents = ${cents}`)
const balance = async () => Number((await bank.db.selectFrom('accounts').select('cents').executeTakeFirstOrThrow()).cents)
const receiptsOf = async (payment: string) =>
  (await bank.db.selectFrom('receipts').select('receipt').where('payment_id', '=', payment).execute()).length
const payment = async (id: string) => (await ada.payments()).find((one) => one.id === id)
/** Waits until the bank has decided on a payment, which it does by itself within a second. */
const decided = async (id: string): Promise<ShownPayment | undefined> => {
  await expect.poll(async () => (await payment(id))?.state).not.toBe('waiting')
  return payment(id)
}
const ordered = async (cents: number) => {
  const { status, body } = await ada.order(cents)
  expect([status, body.state]).toEqual([202, 'waiting'])
  return body.id
}

beforeEach(() => setBalance(START))

describe('a payment', () => {
  it('of up to 1,000 EUR is booked at once', async () => {
    expect(await ada.order(SMALL)).toMatchObject({ status: 202, body: { state: 'booked', needs: 'nobody' } })
    expect(await balance()).toBe(START - SMALL)
  })

  it('of up to 50,000 EUR is booked with its receipt, once the phone of the customer has approved', async () => {
    const id = await ordered(MEDIUM)
    await expect(bank.payments.book(id)).rejects.toMatchObject({ code: 'confirmation_not_approved' })
    await expect(grace.approve(id)).rejects.toThrow('no such payment')
    await ada.approve(id)
    expect(await decided(id)).toMatchObject({ state: 'booked', needs: 'phone' })
    expect([await balance(), await receiptsOf(id)]).toEqual([START - MEDIUM, 1])
  })

  it('of more than 50,000 EUR needs the approvals of two other holders of the account: one is too few', async () => {
    const id = await ordered(LARGE)
    await expect(ada.approve(id)).rejects.toThrow('no such payment')
    await grace.approve(id)
    await expect(bank.payments.book(id)).rejects.toMatchObject({ code: 'approval_not_approved' })
    expect([await balance(), await receiptsOf(id)]).toEqual([START, 0])
    await alan.approve(id)
    expect(await decided(id)).toMatchObject({ state: 'booked', needs: 'two people' })
    expect([await balance(), await receiptsOf(id)]).toEqual([START - LARGE, 2])
  })

  it('is refused when it is ordered, if too few members of the account may approve', async () => {
    await bank.database.query(`update bank.members set may_approve = false where customer_id = 'alan'`)
    const before = (await ada.payments()).length
    expect(await ada.order(LARGE)).toMatchObject({ status: 409, body: { code: 'too_few_approvers' } })
    expect(await ada.payments()).toHaveLength(before)
    await bank.database.query(`update bank.members set may_approve = true where customer_id = 'alan'`)
  })

  it('is not booked while an approver lacks the permission', async () => {
    const id = await ordered(LARGE)
    await grace.approve(id)
    await bank.database.query(`update bank.members set may_approve = false where customer_id = 'grace'`)
    await alan.approve(id)
    await expect(bank.payments.book(id)).rejects.toMatchObject({ code: 'approval_not_approved' })
    await bank.database.query(`update bank.members set may_approve = true where customer_id = 'grace'`)
    expect(await decided(id)).toMatchObject({ state: 'booked' })
  })

  it('is refused after the phone has rejected it', async () => {
    const id = await ordered(MEDIUM)
    const { confirmations } = await ada.client.confirmations.pending()
    for (const { confirmationId } of confirmations) await ada.client.confirmations.reject(confirmationId, 'a wrong recipient')
    expect(await decided(id)).toMatchObject({ state: 'refused', reason: 'rejected' })
    expect(await balance()).toBe(START)
  })

  it('is refused if its row was changed after the approval', async () => {
    const id = await ordered(MEDIUM)
    await bank.database.query(`update bank.payments set recipient = 'Mallory' where id = '${id}'`)
    await ada.approve(id)
    expect(await decided(id)).toMatchObject({ state: 'refused', reason: 'other_action' })
    expect([await balance(), await receiptsOf(id)]).toEqual([START, 0])
  })

  it.each([{ cents: 0 }, { cents: 1.5 }, { recipient: '' }, { account: 7 }])('is refused as %j', async (wrong) => {
    expect((await ada.order(100, wrong)).status).toBe(400)
  })

  it("from another customer's account is answered as if the account did not exist", async () => {
    expect((await ada.order(100, { account: 'globex' })).status).toBe(404)
  })
})

describe('in a race', () => {
  it.each([MEDIUM, LARGE])('a payment of %i cents is booked once, although 20 bookings try with one approval', async (cents) => {
    const id = await ordered(cents)
    for (const person of cents === MEDIUM ? [ada] : [grace, alan]) await person.approve(id)
    const bookings = await Promise.all(Array.from({ length: 20 }, () => bank.payments.book(id)))
    // The bank books by itself too, so it may have been first.
    expect(bookings.filter(Boolean).length).toBeLessThanOrEqual(1)
    expect(await payment(id)).toMatchObject({ state: 'booked' })
    expect([await balance(), await receiptsOf(id)]).toEqual([START - cents, cents === MEDIUM ? 1 : 2])
  })

  it('two payments for which the money is enough for only one: one is booked, and the approval of the other stays unused', async () => {
    await setBalance(MEDIUM)
    const ids = [await ordered(MEDIUM), await ordered(MEDIUM)]
    await Promise.all(ids.map((id) => ada.approve(id)))
    await Promise.allSettled(ids.map((id) => bank.payments.book(id)))
    const states = (await Promise.all(ids.map(decided))).map((one) => [one?.state, one?.reason])
    expect(states.toSorted()).toEqual([
      ['booked', null],
      ['refused', 'not_covered'],
    ])
    expect(await balance()).toBe(0)
    const { items } = await bank.countersign.confirmations.listAll({ email: 'ada@example.com', limit: 2 })
    expect(items.filter(({ consumedAt }) => consumedAt !== null)).toHaveLength(1)
  })
})

it('an auditor verifies the exported bookings offline, and finds every change', async () => {
  const [medium, large] = [await ordered(MEDIUM), await ordered(LARGE)]
  for (const [person, id] of [
    [ada, medium],
    [grace, large],
    [alan, large],
  ] as const)
    await person.approve(id)
  await Promise.all([medium, large].map(decided))
  const keys = await (await fetch(`${bank.url}/.well-known/countersign/receipt-keys`)).text()
  const { audited, bookings } = exportBookings(bank.database.url, keys)
  expect(audited.status).toBe(0)
  expect(audited.stdout).toContain(`in order: ${medium}\n`)
  expect(audited.stdout).not.toContain('NOT')
  const [first, second] = [medium, large].map((id) => bookings.find((one) => one.id === id))
  if (first === undefined || second === undefined) throw new Error('a booking is missing')
  const changes = [
    [[{ ...first, cents: first.cents - 1 }], ['approved another amount']],
    [[{ ...first, recipient: 'Mallory' }], ['approved another recipient']],
    [[{ ...first, id: second.id }], ['approved another payment']],
    [[{ ...first, customer: 'grace' }], ['somebody else asked']],
    [[{ ...first, receipts: [] }], ['has 0 receipts, and needs 1']],
    [[{ ...first, receipts: [`${first.receipts[0]}A`] }], ['has a receipt that is refused at the step format']],
    [[{ ...second, receipts: [second.receipts[0], second.receipts[0]] }], ['uses an approval a second time']],
    [
      [first, second, first],
      [null, null, 'is booked twice'],
    ],
  ] as const
  const found = objectionsTo(
    changes.map(([list]) => list),
    keys,
  )
  expect(found).toEqual(changes.map(([, objections]) => objections))
})

describe('a customer', () => {
  it('is not signed in with a wrong password or without the cookie, and cannot guess passwords without limit', async () => {
    expect((await fetch(`${bank.url}/payments`)).status).toBe(401)
    expect((await signIn(bank.url, 'nobody@example.com', 'wrong')).status).toBe(401)
    await bank.database.query(`insert into bank.login_failures select 'nobody@example.com' from generate_series(1, 9)`)
    expect((await signIn(bank.url, 'nobody@example.com')).status).toBe(429)
  })

  it('is signed out of one browser, and stays signed in on the phone and in other browsers', async () => {
    const { client, send } = grace
    const other = await openBrowser(bank.url, 'grace@example.com')
    expect((await send('/logout', {})).status).toBe(204)
    expect((await send('/payments')).status).toBe(401)
    expect((await other('/payments')).status).toBe(200)
    expect((await client.devices.list()).devices).toHaveLength(1)
    expect((await other('/logout', {})).status).toBe(204)
  })

  it('is signed out at once when the bank blocks the customer, on the phone too', async () => {
    await bank.logins.block('alan')
    expect((await alan.send('/payments')).status).toBe(401)
    expect((await signIn(bank.url, 'alan@example.com')).status).toBe(401)
    await expect(alan.client.confirmations.pending()).rejects.toMatchObject({ status: 401 })
  })
})
