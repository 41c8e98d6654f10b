import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { days } from '../../shared/clock.ts'
import { Invalid, NothingToChange } from '../../shared/errors.ts'
import { createTestUser } from '../../testing/sign-in.ts'
import type { UserProfile } from '../records/user.ts'
import { UserNotFound } from '../user-model/errors.ts'

const permission = 'payment.approve'

let test: TestCountersign
let ada: UserProfile
let bob: UserProfile
beforeEach(async () => {
  test = await createTestCountersign()
  ada = await createTestUser(test, { permissions: ['payment.*', 'invoice.approve@acme'] })
  bob = await createTestUser(test, { permissions: ['payment.read'] })
})

const tomorrow = () => test.clock.now() + days(1)
const delegate = (changes: Partial<Parameters<typeof test.countersign.users.delegate>[0]> = {}) =>
  test.countersign.users.delegate({ from: ada.email, to: bob.email, permission, until: tomorrow(), ...changes })
const delegationsOf = ({ email }: UserProfile) => test.countersign.users.delegations({ email })

describe('delegating a permission', () => {
  it('is listed for both users, until its end', async () => {
    const until = tomorrow()
    const delegation = {
      from: { id: ada.id, email: ada.email },
      to: { id: bob.id, email: bob.email },
      permission,
      until,
      createdAt: test.clock.now(),
    }
    expect(await delegate({ from: String(ada.id) })).toStrictEqual(delegation)
    for (const user of [ada, bob]) expect(await delegationsOf(user)).toStrictEqual([delegation])
    const exported = await test.countersign.users.export({ email: bob.email })
    expect(exported.delegations).toMatchObject([{ from: ada.id, to: bob.id, permission }])
    test.clock.set(until)
    expect(await delegationsOf(ada)).toStrictEqual([])
  })

  it('gives no permission of its own, so the delegate cannot delegate it further', async () => {
    await delegate()
    const eve = await createTestUser(test)
    await expect(delegate({ from: bob.email, to: eve.email })).rejects.toThrow(`permission: ${bob.email} does not hold it`)
    expect((await test.countersign.users.find({ email: bob.email })).permissions).toStrictEqual(['payment.read'])
  })

  it.each([
    ['a wildcard', { permission: 'payment.*' }, 'permission: must be <resource>.<action>'],
    ['no permission', { permission: 'payment' }, 'permission: must be <resource>.<action>'],
    ['a permission that the giver does not hold', { permission: 'order.approve' }, 'does not hold it'],
    ['a permission that the giver holds in one tenant only', { permission: 'invoice.approve' }, 'does not hold it'],
    ['another tenant', { permission: 'invoice.approve@beta' }, 'does not hold it'],
    ['a permission that the delegate holds already', { permission: 'payment.read' }, 'holds it already'],
  ])('refuses %s', async (_, change, message) => {
    await expect(delegate(change)).rejects.toThrow(message)
    expect(await delegationsOf(ada)).toStrictEqual([])
  })

  it('refuses the giver as delegate, an unknown user, and an end that is past or more than a year ahead', async () => {
    await expect(delegate({ to: ada.email })).rejects.toThrow('to: must be another user')
    await expect(delegate({ to: 'nobody@example.test' })).rejects.toStrictEqual(new UserNotFound())
    for (const until of [test.clock.now(), test.clock.now() + days(367)]) {
      await expect(delegate({ until })).rejects.toThrow(Invalid)
    }
    expect(await delegationsOf(ada)).toStrictEqual([])
  })

  it('can cover one tenant, also if the giver has the permission everywhere', async () => {
    await delegate({ permission: 'invoice.approve@acme' })
    await delegate({ permission: 'payment.approve@acme' })
    expect((await delegationsOf(bob)).map((one) => one.permission)).toStrictEqual([
      'invoice.approve@acme',
      'payment.approve@acme',
    ])
  })

  it('ends when the giver loses the permission, and does not return with the permission', async () => {
    await delegate()
    await delegate({ permission: 'invoice.approve@acme' })
    await test.countersign.users.revoke({ email: ada.email, permissions: ['payment.*'] })
    await test.countersign.users.grant({ email: ada.email, permissions: [permission] })
    expect((await delegationsOf(bob)).map((one) => one.permission)).toStrictEqual(['invoice.approve@acme'])
    const ended = test.logger.entries.filter(({ event }) => event === 'delegation_ended')
    expect(ended.map(({ fields }) => fields)).toStrictEqual([{ from: ada.id, to: bob.id, permission }])
  })

  it('is ended once, and ends with the deletion of either user', async () => {
    await delegate()
    const end = () => test.countersign.users.endDelegation({ from: ada.email, to: bob.email, permission })
    await end()
    expect(await delegationsOf(ada)).toStrictEqual([])
    await expect(end()).rejects.toThrow(NothingToChange)
    await delegate()
    await test.countersign.users.delete({ email: bob.email })
    expect(await delegationsOf(ada)).toStrictEqual([])
  })

  it('needs the approval of the gate `user.grant`, because the delegate may do more', async () => {
    test = await createTestCountersign({ options: { gates: { 'user.grant': { actionType: 'user_access' } } } })
    ada = await createTestUser(test)
    bob = await createTestUser(test)
    await test.storage.transaction((tx) => tx.users.change(ada.id, 1, { permissions: [permission] }, test.clock.now()))
    await expect(delegate({ caller: { userId: ada.id } })).rejects.toMatchObject({
      code: 'CONFIRMATION_REQUIRED',
      details: { actionType: 'user_access', actionPayload: { userId: bob.id, permissions: [permission] } },
    })
    expect(await delegationsOf(ada)).toStrictEqual([])
  })
})
