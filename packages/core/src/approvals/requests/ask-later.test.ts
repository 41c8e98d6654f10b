import type { Statement } from '@countersign/contract'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { approve } from '../../testing/approve-payment.ts'
import { atOnce } from '../../testing/contract/at-once.ts'
import {
  createTestUser,
  type DeviceUser,
  registerTestDevice,
  signIn,
  signInByDevice,
  signInNewDeviceUser,
} from '../../testing/sign-in.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import { TooFewApprovers } from './errors.ts'

const permission = 'payment.approve'
const actionType = 'payment_approval'
const action = { actionType, actionPayload: validPayloads.payment_approval } as const
const service = { name: 'billing', scopes: [`approval.redeem:${actionType}`] }

let test: TestCountersign
let requester: DeviceUser
let first: DeviceUser
beforeEach(async () => {
  test = await createTestCountersign()
  await test.countersign.actionPolicies.set({ actionType, permission, count: 1 })
  requester = await aUserWith(permission, 'other.read@acme')
  first = await aUserWith(permission)
})

const aUserWith = (...permissions: readonly string[]): Promise<DeviceUser> => signInNewDeviceUser(test, { permissions })
const grant = ({ user: { email } }: DeviceUser, ...permissions: readonly string[]) =>
  test.countersign.users.grant({ email, permissions: [...permissions] })
const start = (more: object = {}) =>
  test.countersign.approvalRequests.start({ ...action, ...more, caller: requester.web.caller, address: '192.0.2.7' })
const pending = ({ mobile: { caller } }: DeviceUser) => test.countersign.confirmations.pending({ caller })
const askedOf = async (user: DeviceUser) =>
  (await pending(user)).map(({ statementText }) => (JSON.parse(statementText) as Statement).approval?.id)

describe('a holder who appears after the start of a request', () => {
  it('is asked with the same words when they read what is pending, and can approve', async () => {
    const later = await aUserWith()
    const { id: approvalId } = await start({ context: { reason: 'rent' }, operation: 'pay' })
    expect(await pending(later)).toStrictEqual([])
    await grant(later, 'payment.*')
    test.clock.advance(1000)
    const [[shown], [original]] = [await pending(later), await pending(first)]
    if (shown === undefined || original === undefined) throw new Error('nobody asked')
    const { subject: _, confirmationId: __, createdAt: ___, ...same } = JSON.parse(original.statementText) as Statement
    expect(JSON.parse(shown.statementText)).toMatchObject({ ...same, subject: { id: later.user.id, externalId: null } })
    expect(shown).toMatchObject({ display: original.display, requestedFrom: original.requestedFrom, createdAt: test.clock.now() })
    expect(await askedOf(later)).toStrictEqual([approvalId])
    await approve(test, later, shown)
    const { receipts } = await test.countersign.approvalRequests.redeem({
      ...action,
      approvalId,
      operation: 'pay',
      permission,
      count: 1,
      service,
    })
    expect(receipts).toHaveLength(1)
  })

  it('is asked once, even if they read at the same time on several devices', async () => {
    const later = await aUserWith()
    const { id: approvalId } = await start()
    await grant(later, permission)
    const read = await atOnce(10, () => askedOf(later))
    for (const ids of read) expect(ids).toStrictEqual([approvalId])
    expect(await test.storage.approvalRequests.confirmationsOf(approvalId)).toHaveLength(2)
  })

  it('is counted once as asked', async () => {
    const outcomes: string[] = []
    test = await createTestCountersign({ observer: { confirmation: ({ outcome }) => outcomes.push(outcome) } })
    await test.countersign.actionPolicies.set({ actionType, permission, count: 1 })
    requester = await aUserWith(permission)
    await aUserWith(permission)
    const later = await aUserWith()
    const { id: approvalId } = await start()
    await test.background.drain()
    expect(outcomes).toStrictEqual(['initiated'])
    await grant(later, permission)
    for (const ids of await atOnce(10, () => askedOf(later))) expect(ids).toStrictEqual([approvalId])
    expect(outcomes).toStrictEqual(['initiated', 'initiated'])
  })

  it('is asked after one of their devices has become trusted', async () => {
    const web = await signIn(test, await createTestUser(test, { permissions: [permission] }))
    const { id: approvalId } = await start()
    const registered = await registerTestDevice(test, web.caller)
    const later = { ...registered, user: web.user, web, mobile: await signInByDevice(test, registered) }
    expect(await askedOf(later)).toStrictEqual([approvalId])
  })

  it('is asked in their tenant only', async () => {
    const [inTenant, elsewhere] = [await aUserWith(), await aUserWith()]
    const { id: approvalId } = await start({ tenant: 'acme' })
    await start()
    await grant(inTenant, `${permission}@acme`)
    await grant(elsewhere, `${permission}@other`)
    expect(await askedOf(inTenant)).toStrictEqual([approvalId])
    expect(await askedOf(elsewhere)).toStrictEqual([])
  })

  it.each<[string, (later: DeviceUser, approvalId: string) => Promise<unknown>]>([
    ['the request was rejected', async () => test.countersign.confirmations.reject(await rejection())],
    ['the request has expired', async () => test.clock.advance(24 * 3_600_000)],
    ['a tighter policy ended the request', () => test.countersign.actionPolicies.set({ actionType, permission, count: 2 })],
    ['the policy was removed', () => test.countersign.actionPolicies.remove({ actionType })],
    [
      'the permission was lost again',
      ({ user: { email } }) => test.countersign.users.revoke({ email, permissions: [permission] }),
    ],
    ['the only key is one that the requester has', ({ signer }) => registerTestDevice(test, requester.web.caller, { signer })],
    [
      'the rows that find requests were forged',
      async (later, approvalId) => {
        await test.countersign.users.revoke({ email: later.user.email, permissions: [permission] })
        await grant(later, 'harmless.read')
        const { approvalRequests } = test.storage
        const found = await approvalRequests.byId(approvalId)
        const forged = { ...approvalRequests, waitingFor: async () => (found === undefined ? [] : [found]) }
        Object.assign(test.storage, { approvalRequests: forged })
      },
    ],
  ])('is not asked if %s', async (_, happens) => {
    const later = await aUserWith()
    const { id: approvalId } = await start()
    await grant(later, permission)
    await happens(later, approvalId)
    const mobile = await signInByDevice(test, later)
    expect(await askedOf({ ...later, mobile })).toStrictEqual([])
    expect(await test.storage.approvalRequests.confirmationsOf(approvalId)).toHaveLength(1)
  })

  const rejection = async () => {
    const [shown] = await pending(first)
    return { confirmationId: shown?.id ?? '', caller: first.mobile.caller }
  }

  it('is not asked if every user whom the request asked was deleted', async () => {
    const later = await aUserWith()
    await start()
    await test.countersign.users.delete({ email: first.user.email })
    await grant(later, permission)
    expect(await pending(later)).toStrictEqual([])
  })

  it('is not asked if the request has asked 100 people', async () => {
    const { id: approvalId } = await start()
    const others = Array.from({ length: 101 }, async () => {
      const { id } = await createTestUser(test, { permissions: [permission] })
      return id
    })
    const ids = await Promise.all(others)
    const [vote] = await test.storage.approvalRequests.confirmationsOf(approvalId)
    if (vote === undefined) throw new Error('nobody asked')
    for (const [at, userId] of ids.slice(0, 98).entries())
      expect(await test.storage.approvalRequests.ask({ ...vote, id: `conf_${at}`, userId }, 100)).toBe(true)
    const [last, oneTooMany] = [await aUserWith(permission), await aUserWith(permission)]
    expect(await askedOf(last)).toStrictEqual([approvalId])
    expect(await askedOf(oneTooMany)).toStrictEqual([])
    expect(await test.storage.approvalRequests.confirmationsOf(approvalId)).toHaveLength(100)
  })
})

describe('the users whom a request asks', () => {
  it('are enough for all groups, even if one of them fits two groups', async () => {
    const groups = [{ permission, count: 1 } as const, { permission: 'legal.approve', count: 1 } as const]
    await test.countersign.actionPolicies.set({ actionType, bands: [{ groups }] })
    await expect(start()).rejects.toThrow(TooFewApprovers)
    await grant(first, 'legal.approve')
    await expect(start()).rejects.toThrow(TooFewApprovers)
    const second = await aUserWith(permission)
    const { id } = await start()
    for (const user of [first, second]) expect(await askedOf(user)).toStrictEqual([id])
  })

  it('are the least recently asked of many, and at most 100', async () => {
    const many: number[] = []
    for (let count = 0; count < 130; count += 1) many.push((await aUserWith(permission)).user.id)
    const asked = async () => {
      test.clock.advance(1000)
      const { id } = await start()
      return new Set((await test.storage.approvalRequests.confirmationsOf(id)).map(({ userId }) => userId))
    }
    const [one, two] = [await asked(), await asked()]
    expect([one.size, two.size]).toStrictEqual([100, 100])
    for (const id of [first.user.id, ...many]) expect(one.has(id) || two.has(id)).toBe(true)
  })

  it('hold the permission and can approve, whether a concurrent revocation comes before or after the start', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [gains, loses] = [await aUserWith(), await aUserWith(permission)]
      const [{ id }] = await Promise.all([
        start(),
        grant(gains, permission),
        test.countersign.users.revoke({ email: loses.user.email, permissions: [permission] }),
      ])
      expect(await askedOf(gains)).toContain(id)
      for (const shown of await pending(loses)) await approve(test, loses, shown)
      const read = () => test.countersign.approvalRequests.read({ approvalId: id, caller: requester.web.caller })
      expect(await read()).toMatchObject({ status: 'pending', approvals: 0 })
      const [shown] = await pending(gains)
      if (shown !== undefined) await approve(test, gains, shown)
      expect(await read()).toMatchObject({ status: 'approved', approvals: 1 })
      await test.countersign.users.lock({ email: requester.user.email })
      await test.countersign.users.unlock({ email: requester.user.email })
      const web = await signIn(test, requester.user)
      requester = { ...requester, web }
    }
  })
})
