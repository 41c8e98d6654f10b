import { type ConsumedApprovals, errors, type HostClient } from '@countersign/core'
import { type DeviceUser, signInNewDeviceUser } from '@countersign/core/testing'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPostgresDatabase, type PostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { fromPg } from '../src/clients/index.ts'
import { openPostgres } from '../src/index.ts'
import { payment as action, approveShown, inTransaction as transaction } from './host.ts'

const permission = 'payment.approve'
const policy = { permission, count: 2 } as const

let database: PostgresDatabase
/** The connections of the host. */
let pool: pg.Pool
let test: TestCountersign
let requester: DeviceUser
let approvers: readonly DeviceUser[]

const aUserWith = (permissions: string[]): Promise<DeviceUser> => signInNewDeviceUser(test, { permissions })

beforeAll(async () => {
  database = await createPostgresDatabase()
  const storage = await openPostgres({ url: database.url, poolSize: 1 })
  await storage.migrate()
  await database.query('create table payments (id integer primary key)')
  pool = new pg.Pool({ connectionString: database.url, max: 20 })
  const options = { approvalPolicies: { payment_approval: policy }, openApprovalRequestsPerUser: 100 } as const
  test = await createTestCountersign({ storage, options })
  requester = await aUserWith([permission])
  approvers = [await aUserWith([permission]), await aUserWith([permission])]
})

beforeEach(async () => {
  await database.query('delete from payments')
})

afterAll(async () => {
  await pool.end()
  await test.storage.close()
  await database.drop()
})

const approve = (user: DeviceUser) => approveShown({ ...test, user })

/** Asks for the approvals of a payment, and returns the id of the request once it has them. */
const approvedRequest = async (operation?: string): Promise<string> => {
  const { id } = await test.countersign.approvalRequests.start({ ...action, operation, caller: requester.web.caller })
  for (const approver of approvers) await approve(approver)
  return id
}

const inTransaction = <T>(work: (client: HostClient) => Promise<T>) => transaction(pool, (client) => work(fromPg(client)))

type Use = (client: HostClient) => Promise<ConsumedApprovals>

/** Uses the approvals and books the payment in one transaction. */
const book = (use: Use, payment: number, after = async () => {}) =>
  inTransaction(async (client) => {
    const used = await use(client)
    await client.query('insert into payments values ($1)', [payment])
    await after()
    return used
  })

const consume =
  (requestId: string, changes: object = {}): Use =>
  (client) =>
    test.countersign.approvalRequests.consume({ ...action, requestId, policy, consumedBy: 'payment', ...changes }, { client })

const payments = async () => (await database.query('select id from payments order by id')) as readonly { id: number }[]
const statusOf = async (approvalId: string) =>
  (await test.countersign.approvalRequests.read({ approvalId, caller: requester.web.caller })).status

const two = [expect.stringMatching(/^eyJ/), expect.stringMatching(/^eyJ/)]

describe('an approval request in a transaction of the host', () => {
  it('is used with the booking, and gives the receipts of both approvers', async () => {
    const id = await approvedRequest()
    expect(await book(consume(id), 1)).toStrictEqual({ receipts: two, consumedAt: test.clock.now() })
    expect(await payments()).toStrictEqual([{ id: 1 }])
    expect(await statusOf(id)).toBe('redeemed')
    await expect(book(consume(id), 2)).rejects.toMatchObject({ code: 'approval_redeemed' })
    expect(await payments()).toHaveLength(1)
  })

  it('stays usable if the host rolls back', async () => {
    const id = await approvedRequest()
    const failing = book(consume(id), 1, async () => {
      throw new Error('the host has changed its mind')
    })
    await expect(failing).rejects.toThrow('changed its mind')
    expect(await statusOf(id)).toBe('approved')
    await book(consume(id), 2)
    expect(await payments()).toStrictEqual([{ id: 2 }])
  })

  it('is used on the connection of the host only, even if the storage has no free connection', async () => {
    const id = await approvedRequest()
    const { promise: isBooked, resolve: booked } = Promise.withResolvers<void>()
    const { promise: isTaken, resolve: taken } = Promise.withResolvers<void>()
    const holding = test.storage.transaction(async (tx) => {
      await tx.users.byId(1)
      taken()
      await isBooked
    })
    await isTaken
    const booking = book(consume(id), 1).finally(booked)
    expect(await booking).toMatchObject({ receipts: two })
    await holding
  })

  it('books once if 50 bookings race', async () => {
    const id = await approvedRequest()
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, payment) => book(consume(id), payment)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'approval_redeemed' })
    }
    expect(await payments()).toHaveLength(1)
  })

  it.each([
    ['another amount', { actionPayload: { ...action.actionPayload, amount: 1 } }, 'other_action'],
    ['another operation', { operation: 'bank.refund' }, 'other_action'],
    ['another tenant', { tenant: 'acme' }, 'other_action'],
    ['fewer approvals', { policy: { permission, count: 1 } }, 'other_policy'],
    ['nobody', { policy: { groups: 'none' } }, 'other_policy'],
    ['another digest', { policy: { digest: 'x' } }, 'other_policy'],
  ])('is refused for %s, and nothing is booked', async (_, changes, code) => {
    const id = await approvedRequest()
    await expect(book(consume(id, changes), 1)).rejects.toMatchObject({ code })
    expect(await payments()).toStrictEqual([])
    await book(consume(id), 2)
  })
})

describe('a gate that names a policy', () => {
  it("books a large payment with two approvers in one commit, and a small payment with the user's own phone", async () => {
    const gate = test.countersign.createGate<{ amount: number }>({
      name: 'bank.pay',
      actionType: 'payment_approval',
      build: ({ amount }) => ({
        actionPayload: { ...action.actionPayload, amount },
        ...(amount > 1000 && { policy }),
      }),
    })
    const { caller } = requester.web
    const large = { amount: 50_000 }
    const refusal: unknown = await inTransaction((client) => gate({ caller, action: large }, { client })).catch((error) => error)
    if (!(refusal instanceof errors.ConfirmationRequired)) throw new Error('the gate is open')
    expect(refusal.details).toMatchObject({ operation: 'bank.pay', policy })

    const { policy: _, ...asked } = refusal.details
    const { id: requestId } = await test.countersign.approvalRequests.start({
      ...asked,
      actionType: 'payment_approval',
      actionPayload: { ...action.actionPayload, ...large },
      caller,
    })
    for (const approver of approvers) await approve(approver)
    const pay = (call: object) => book((client) => gate({ caller, action: large, ...call }, { client }), 1)
    await expect(pay({ confirmationId: 'conf_1' })).rejects.toMatchObject({ code: 'confirmation_not_approved' })
    await expect(pay({ requestId, action: { amount: 60_000 } })).rejects.toMatchObject({ code: 'other_action' })
    await expect(pay({ requestId, caller: approvers[0]?.web.caller })).rejects.toMatchObject({ code: 'approval_not_found' })
    expect(await payments()).toStrictEqual([])
    expect(await pay({ confirmationId: requestId })).toStrictEqual({ receipts: two, consumedAt: test.clock.now() })
    expect(await payments()).toHaveLength(1)
    await expect(pay({ requestId })).rejects.toMatchObject({ code: 'approval_redeemed' })

    const little = { amount: 5 }
    const small: unknown = await inTransaction((client) => gate({ caller, action: little }, { client })).catch((error) => error)
    expect(small).toMatchObject({ code: 'CONFIRMATION_REQUIRED', details: { operation: 'bank.pay' } })
    expect(small).toMatchObject({ details: { policy: null } })
    const actionPayload = { ...action.actionPayload, ...little }
    const own = { ...action, actionPayload, operation: 'bank.pay', caller }
    const { id: confirmationId } = await test.countersign.confirmations.initiate(own)
    await approve(requester)
    expect(await book((client) => gate({ caller, action: little, confirmationId }, { client }), 2)).toMatchObject({
      receipts: { length: 1 },
    })
    expect(await payments()).toHaveLength(2)
  })
})
