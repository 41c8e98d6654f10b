import { errors, type HostClient } from '@countersign/core'
import { type DeviceUser, signInNewDeviceUser } from '@countersign/core/testing'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import type pg from 'pg'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openPool } from '../../../tools/testing/open-pool.ts'
import { from, fromPg } from '../src/clients/index.ts'
import { openPostgres } from '../src/index.ts'
import { approvedPayment, approveShown, inTransaction, payment } from './host.ts'
import { newDatabase } from './open-migrated.ts'

const permission = 'payment.approve'
const { actionType, actionPayload } = payment

let test: TestCountersign
let user: DeviceUser
let approver: DeviceUser
let pool: pg.Pool

beforeEach(async () => {
  const url = await newDatabase()
  const storage = await openPostgres({ url, schema: 'approvals' })
  await storage.migrate()
  onTestFinished(() => storage.close())
  pool = openPool({ connectionString: url, max: 5 })
  test = await createTestCountersign({ storage })
  user = await signInNewDeviceUser(test)
  approver = await signInNewDeviceUser(test, { permissions: [permission] })
})

type Use = (client: HostClient) => Promise<unknown>

const consume =
  (confirmationId: string): Use =>
  (client) => {
    const use = { ...payment, confirmationId, userId: user.user.id, consumedBy: 'payment 1' }
    return test.countersign.confirmations.consume(use, { client })
  }

/** A transaction of the host that has read before something changes, and then uses an approval. */
const useAfter = (
  level: string,
  change: () => Promise<unknown>,
  use: Use,
  clientOf = (client: pg.PoolClient) => fromPg(client),
) =>
  inTransaction(
    pool,
    async (client) => {
      await client.query('select count(*) from approvals.devices')
      await change()
      return use(clientOf(client))
    },
    'commit',
    level,
  )

const removeDevice = ({ device }: DeviceUser) => test.countersign.devices.revoke({ id: device.id })
const nothing = async () => {}

describe.each(['repeatable read', 'serializable'])('a transaction of the host that is %s', (level) => {
  it('is refused for an approval, such as one by a phone that was removed meanwhile', async () => {
    const id = await approvedPayment({ ...test, user })
    const using = useAfter(level, () => removeDevice(user), consume(id))
    await expect(using).rejects.toThrow(errors.OtherIsolationLevel)
    await expect(using).rejects.toMatchObject({ code: 'isolation_level', message: expect.stringContaining('READ COMMITTED') })
    expect(await test.storage.confirmations.byId(id)).toMatchObject({ consumedAt: null })
    await expect(useAfter('read committed', nothing, consume(id))).rejects.toMatchObject({ code: 'confirmation_not_approved' })
  })

  it('is refused for a request, such as one whose policy was tightened meanwhile', async () => {
    const { actionPolicies, approvalRequests } = test.countersign
    await actionPolicies.set({ actionType, permission, count: 1 })
    const { id: requestId } = await approvalRequests.start({ ...payment, caller: user.web.caller })
    await approveShown({ ...test, user: approver })
    const policy = { permission, count: 1 } as const
    const use: Use = (client) => approvalRequests.consume({ ...payment, requestId, policy, consumedBy: 'payment 1' }, { client })
    const tighten = () => actionPolicies.set({ actionType, permission, count: 2 })
    await expect(useAfter(level, tighten, use)).rejects.toMatchObject({ code: 'isolation_level' })
    await expect(useAfter('read committed', nothing, use)).rejects.toMatchObject({ code: 'policy_changed' })
    await actionPolicies.set({ actionType, ...policy })
    expect(await useAfter('read committed', nothing, use)).toMatchObject({ consumedAt: test.clock.now() })
  })

  it('is refused by a gate, also with a client of a query builder', async () => {
    const gate = test.countersign.createGate<undefined>({ name: 'bank.pay', actionType, build: () => ({ actionPayload }) })
    const confirmationId = await approvedPayment({ ...test, user }, 'bank.pay')
    const use: Use = (client) => gate({ caller: user.web.caller, confirmationId, action: undefined }, { client })
    const builder = (client: pg.PoolClient) => from(async (text, values) => (await client.query(text, values)).rows as unknown[])
    await expect(useAfter(level, nothing, use)).rejects.toMatchObject({ code: 'isolation_level' })
    await expect(useAfter(level, nothing, use, builder)).rejects.toMatchObject({ code: 'isolation_level' })
    expect(await useAfter('read committed', nothing, use, builder)).toMatchObject({ consumedAt: test.clock.now() })
  })
})
