import type { UserDirectory } from '@countersign/core'
import type pg from 'pg'
import { describe, expect, it } from 'vitest'
import { approvedPayment, inTransaction, payment } from './host.ts'
import { consume, type HostWithDirectory, openHost, toUser, withBusyStorage } from './host-with-directory.ts'

/** The people of the host, in a table of the host. */
const directoryOn = (pool: pg.Pool): UserDirectory<pg.PoolClient> => {
  const find = async (column: 'id' | 'email', value: string, client: pg.Pool | pg.PoolClient = pool) =>
    toUser((await client.query(`select * from people where ${column} = $1`, [value])).rows)
  return { byEmail: (email) => find('email', email), byId: (id, within) => find('id', id, within?.transaction) }
}

const book = (test: HostWithDirectory, confirmationId: string, paymentId: number) =>
  inTransaction(test.pool, async (client) => {
    const { receipt } = await consume(test, confirmationId, paymentId, client)
    await client.query('insert into payments values ($1)', [paymentId])
    return receipt
  })

describe('a call with the only connection of a host whose users are its own', () => {
  it('books several approvals at once, while the storage has no free connection', async () => {
    const test = await openHost(directoryOn)
    const ids = [await approvedPayment(test), await approvedPayment(test), await approvedPayment(test)]
    const receipts = await withBusyStorage(test, () => Promise.all(ids.map((id, index) => book(test, id, index))))
    expect(receipts).toStrictEqual(ids.map(() => expect.stringContaining('~')))
    expect((await test.pool.query('select id from payments order by id')).rows).toStrictEqual([{ id: 0 }, { id: 1 }, { id: 2 }])
  })

  it('passes a gate, whose action is read on the same connection', async () => {
    const test = await openHost(directoryOn)
    const ids = [await approvedPayment(test, 'bank.pay'), await approvedPayment(test, 'bank.pay')]
    const gate = test.countersign.createGate<undefined>({
      name: 'bank.pay',
      actionType: payment.actionType,
      build: async (_, { client }) => {
        await client?.query('select count(*) from payments', [])
        return { actionPayload: payment.actionPayload }
      },
    })
    const passing = ids.map((confirmationId) =>
      inTransaction(test.pool, (client) => gate({ caller: test.user.web.caller, confirmationId, action: undefined }, { client })),
    )
    const passed = await withBusyStorage(test, () => Promise.all(passing))
    expect(passed).toStrictEqual(ids.map(() => ({ receipts: [expect.any(String)], consumedAt: test.clock.now() })))
  })

  it('refuses the approval of a user who has left the directory, whose sessions have all ended at the next request', async () => {
    const test = await openHost(directoryOn)
    const id = await approvedPayment(test)
    await test.pool.query('update people set has_left = true')
    await expect(withBusyStorage(test, () => book(test, id, 1))).rejects.toMatchObject({ code: 'confirmation_not_approved' })
    const { accessToken: token } = test.user.web.tokens
    await expect(test.countersign.auth.authenticate({ token })).rejects.toMatchObject({ kind: 'unauthenticated' })
  })

  it('sees a change of the user that the same transaction made, and keeps it with the booking', async () => {
    const test = await openHost(directoryOn)
    const id = await approvedPayment(test)
    await inTransaction(test.pool, async (client) => {
      await client.query(`update people set email = 'ada@bank.example'`)
      await consume(test, id, 1, client)
    })
    expect(await test.storage.users.byId(test.user.user.id)).toMatchObject({ email: 'ada@bank.example' })
  })
})
