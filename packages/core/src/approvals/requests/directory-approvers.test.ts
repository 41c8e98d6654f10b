import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { NoHolders } from '../../identity/user-model/errors.ts'
import { type MemoryDirectory, memoryDirectory } from '../../testing/memory-directory.ts'
import { registerTestDevice, signInByDevice, testPassword } from '../../testing/sign-in.ts'
import { cheapHasher } from '../../testing/test-keys.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import { TooFewApprovers } from './errors.ts'

const permission = 'payment.approve'
const actionType = 'payment_approval'

let directory: MemoryDirectory
let test: TestCountersign
beforeEach(async () => {
  directory = memoryDirectory()
  test = await createTestCountersign({ users: directory })
  await test.countersign.actionPolicies.set({ actionType, permission, count: 1 })
})

/** A user of the directory with a device. */
const aUserWith = async (...permissions: readonly string[]) => {
  const email = `user-${crypto.randomUUID()}@example.test`
  const passwordHash = await cheapHasher().hash(testPassword)
  const id = await directory.add({ email, passwordHash, disabled: false, permissions: [...permissions] })
  const { accessToken } = await test.countersign.auth.login({ email, password: testPassword })
  const caller = await test.countersign.auth.authenticate({ token: accessToken })
  const registered = await registerTestDevice(test, caller)
  return { id, caller, registered, mobile: await signInByDevice(test, registered) }
}
type Person = Awaited<ReturnType<typeof aUserWith>>

const start = ({ caller }: Person, tenant?: string) =>
  test.countersign.approvalRequests.start({ actionType, actionPayload: validPayloads.payment_approval, tenant, caller })
const askedIn = async (approvalId: string) =>
  (await test.storage.approvalRequests.confirmationsOf(approvalId)).map(({ userId }) => userId)

describe('the approvers among the users of a directory', () => {
  it('are those whom the directory names as holders in the tenant or everywhere, and who have a trusted device', async () => {
    const requester = await aUserWith(permission, 'other.read@acme')
    const [itself, wildcard, inTenant] = [
      await aUserWith(permission),
      await aUserWith('*.*'),
      await aUserWith(`${permission}@acme`),
    ]
    await directory.add({ email: 'never@example.test', passwordHash: null, disabled: false, permissions: [permission] })
    const holdersOf = vi.spyOn(directory, 'holdersOf')
    const byId = vi.spyOn(directory, 'byId')
    const { id } = await start(requester)
    expect(await askedIn(id)).toStrictEqual([itself.caller.userId, wildcard.caller.userId])
    const { id: ofTenant } = await start(requester, 'acme')
    expect(new Set(await askedIn(ofTenant))).toEqual(new Set([itself, wildcard, inTenant].map(({ caller }) => caller.userId)))
    expect(holdersOf.mock.calls).toStrictEqual([
      [permission, null, 1000],
      [permission, 'acme', 1000],
    ])
    // The answer of `holdersOf` brings the rows up to date. Only the requester in the tenant is looked up.
    expect(byId.mock.calls.map(([one]) => one)).toStrictEqual([requester.id])
  })

  it('exclude people whom the directory disabled or who lost the permission there, whatever the rows of Countersign say', async () => {
    const [requester, approver] = [await aUserWith(), await aUserWith(permission)]
    await start(requester)
    await directory.change(approver.id, { permissions: [] })
    await expect(start(requester)).rejects.toThrow(TooFewApprovers)
    await directory.change(approver.id, { permissions: [permission], disabled: true })
    const holders = vi.spyOn(directory, 'holdersOf').mockImplementation(async () => {
      const found = await directory.byId(approver.id)
      return found === undefined ? [] : [found]
    })
    await expect(start(requester)).rejects.toThrow(TooFewApprovers)
    expect((await test.storage.users.byDirectoryId(approver.id))?.disabledAt).not.toBeNull()
    await directory.change(approver.id, { permissions: ['payment.read'], disabled: false })
    await expect(start(requester)).rejects.toThrow(TooFewApprovers)
    expect(holders).toHaveBeenCalledTimes(2)
  })

  it('are asked when they read what is pending, if the directory granted the permission later', async () => {
    const [requester, approver, later] = [await aUserWith(), await aUserWith(permission), await aUserWith()]
    const { id } = await start(requester)
    expect(await askedIn(id)).toStrictEqual([approver.caller.userId])
    await directory.change(later.id, { permissions: ['payment.*'] })
    const { tokens } = later.mobile
    const caller = await test.countersign.auth.authenticate({ token: tokens.accessToken })
    expect(await test.countersign.confirmations.pending({ caller })).toHaveLength(1)
    expect(await askedIn(id)).toContain(later.caller.userId)
  })

  it('are not looked up in the directory when they read what is pending and no request waits for them', async () => {
    const { mobile } = await aUserWith(permission)
    const byId = vi.spyOn(directory, 'byId')
    expect(await test.countersign.confirmations.pending({ caller: mobile.caller })).toStrictEqual([])
    expect(byId).not.toHaveBeenCalled()
  })

  it('cannot be found with a directory without `holdersOf`, and the error says so', async () => {
    const { holdersOf: _, ...without } = directory
    test = await createTestCountersign({ users: without })
    await test.countersign.actionPolicies.set({ actionType, permission, count: 1 })
    const requester = await aUserWith()
    await expect(start(requester)).rejects.toStrictEqual(new NoHolders())
    await test.countersign.actionPolicies.set({ actionType, bands: [{ groups: 'none' }] })
    expect(await start(requester)).toMatchObject({ status: 'approved' })
    const options = { approvalPolicies: { payment_approval: { permission, count: 1 } } } as const
    await expect(createTestCountersign({ users: without, options })).rejects.toThrow(
      new TypeError('approvalPolicies need a UserDirectory with holdersOf, which finds the approvers'),
    )
    await expect(createTestCountersign({ users: directory, options })).resolves.toBeDefined()
  })
})
