import { generateReceiptKeyRing, parseReceiptKeyRing } from '@countersign/core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createPostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { openStorage } from '../src/open-storage.ts'
import { concurrently, statusesOf } from '../src/testing/race.ts'
import {
  APPROVES,
  aPayment,
  approvePending,
  type DeviceUser,
  serviceToken,
  signIn,
  signInWithDevice,
  startRequest,
} from '../src/testing/sign-in.ts'
import { createTestApp, type TestApp } from '../src/testing/test-app.ts'
import { sharedDatabases } from './shared-databases.ts'

/** Approvals by several people over HTTP, at two servers with the same keys on one database. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const action = { actionType: 'payment_approval', actionPayload: aPayment } as const

describe.each(sharedDatabases)('an approval request at two servers, on $name,', ({ open }) => {
  let one: TestApp
  let other: TestApp
  let token: string
  let close: () => Promise<void>
  beforeAll(async () => {
    const storages = await open()
    close = storages.close
    const receipts = { keys: parseReceiptKeyRing(generateReceiptKeyRing()), issuer: 'https://auth.example.com' }
    const options = { rateLimits: 'off' } as const
    one = await createTestApp({ storage: storages.one, receipts, options })
    const { jwtKeys, encryptionKeys, clock } = one
    other = await createTestApp({ storage: storages.other, receipts, options, jwtKeys, encryptionKeys, clock })
    token = await serviceToken(one)
  })
  afterAll(async () => {
    await close?.()
  })

  // A request asks the first hundred holders of the permission, so the people of earlier tests are disabled. Some tests have
  // disabled a person already.
  const holders: DeviceUser[] = []
  afterEach(() => Promise.allSettled(holders.splice(0).map(({ user: { email } }) => one.countersign.users.disable({ email }))))

  type People = readonly [DeviceUser, DeviceUser, DeviceUser]

  /** A requester with the permission and a device, and three other holders of the permission, of whom two must approve. */
  const given = async () => {
    const holder = async () => {
      const user = await signInWithDevice(one, { permissions: [APPROVES] })
      holders.push(user)
      return user
    }
    const requester = await holder()
    const approvers: People = [await holder(), await holder(), await holder()]
    await one.countersign.actionPolicies.set({ actionType: 'payment_approval', permission: APPROVES, count: 2 })
    const { approvalId, expiresAt } = await one.ask('approvals.start', action, { token: requester.token })
    return { requester, approvalId, expiresAt, approvers }
  }

  const read = async (approvalId: string, { token: reader }: Pick<DeviceUser, 'token'>, at = other) =>
    at.ask('approvals.read', { approvalId }, { token: reader })
  const redemption = (approvalId: string) => ({ approvalId, ...action, permission: APPROVES, count: 2 }) as const
  const redeem = (approvalId: string, changes: object = {}, at = other) =>
    at.call('services.redeemApproval', { ...redemption(approvalId), ...changes }, { token })
  const pendingOf = async (approvalId: string, { deviceToken }: DeviceUser) => {
    const { confirmations } = await one.ask('confirmations.pending', {}, { token: deviceToken })
    const found = confirmations.find(({ statement }) => statement.approval?.id === approvalId)
    if (found === undefined) throw new Error('the user was not asked')
    return found
  }
  type Shown = Awaited<ReturnType<typeof pendingOf>>
  const approve = async (approvalId: string, user: DeviceUser, at = one, shown?: Shown) => {
    const { confirmationId, challenge } = shown ?? (await pendingOf(approvalId, user))
    const signed = { confirmationId, deviceId: user.device.id, signedChallenge: user.signer.sign(challenge) }
    return at.call('confirmations.verify', signed, { token: user.deviceToken })
  }
  /** Approves by one more than are needed. They are read first: a request with enough approvals waits for nobody. */
  const approveByAll = async (approvalId: string, users: readonly DeviceUser[]): Promise<void> => {
    const shown = await Promise.all(users.map((user) => pendingOf(approvalId, user)))
    for (const [at, user] of users.entries()) expect((await approve(approvalId, user, one, shown[at])).status).toBe(200)
  }
  const reject = async (approvalId: string, user: DeviceUser, session = user.deviceToken, shown?: Shown) => {
    const { confirmationId } = shown ?? (await pendingOf(approvalId, user))
    return one.call('confirmations.reject', { confirmationId, reason: 'Not this supplier' }, { token: session })
  }
  const codeOf = ({ body }: { readonly body: unknown }) => (body as { readonly code?: string }).code
  const refused = (code: string, status: number) => ({ status, code })
  const outcomeOf = (answer: { readonly status: number; readonly body: unknown }) => ({
    status: answer.status,
    code: codeOf(answer),
  })

  it('is started by one person, approved by two others, and redeemed by a service', async () => {
    const { requester, approvalId, expiresAt, approvers } = await given()
    expect(Date.parse(expiresAt)).toBe(one.clock.now() + 24 * 3_600_000)
    expect(await read(approvalId, requester)).toMatchObject({ status: 'pending', approvals: 0, count: 2 })
    const shown = await pendingOf(approvalId, approvers[0])
    const statement = { requester: { id: requester.user.id }, approval: { id: approvalId, count: 2 } }
    expect(shown).toMatchObject({ ...action, statement, numberMatching: false })

    expect((await approve(approvalId, approvers[0], other)).status).toBe(200)
    const groups = [{ permission: APPROVES, count: 2, approvals: 1 }]
    const onlyOne = { approvalId, status: 'pending', approvals: 1, count: 2, groups, expiresAt, withdrawnAt: null }
    expect(await read(approvalId, approvers[1])).toStrictEqual(onlyOne)
    expect(await one.ask('services.approval', { approvalId }, { token })).toStrictEqual(onlyOne)
    expect(outcomeOf(await redeem(approvalId))).toEqual(refused('approval_not_approved', 409))
    expect((await approve(approvalId, approvers[1])).status).toBe(200)
    expect(await read(approvalId, requester)).toMatchObject({ status: 'approved', approvals: 2 })

    expect(outcomeOf(await redeem(approvalId, { count: 1 }))).toEqual(refused('other_policy', 409))
    expect(outcomeOf(await redeem(approvalId, { permission: 'payment.read' }))).toEqual(refused('other_policy', 409))
    expect((await redeem(approvalId, { count: 0 })).status).toBe(400)
    const cheaper = { actionPayload: { ...aPayment, amount: 1 } }
    expect(outcomeOf(await redeem(approvalId, cheaper))).toEqual(refused('other_action', 409))
    expect(outcomeOf(await redeem(approvalId, { operation: 'bank.pay' }))).toEqual(refused('other_action', 409))

    const redeemed = await redeem(approvalId, { idempotencyKey: 'release 1' })
    expect(redeemed.status).toBe(200)
    expect(redeemed.body).toMatchObject({ data: { approvalId, status: 'redeemed', approvals: 2, count: 2 } })
    expect((redeemed.body as { data: { receipts: string[] } }).data.receipts).toHaveLength(2)
    expect((await redeem(approvalId, { idempotencyKey: 'release 1' }, one)).text).toBe(redeemed.text)
    expect(outcomeOf(await redeem(approvalId))).toEqual(refused('approval_redeemed', 410))
    expect(await read(approvalId, requester)).toMatchObject({ status: 'redeemed' })
    expect(await one.ask('services.approval', { approvalId }, { token })).toMatchObject({ status: 'redeemed' })
  })

  it('is withdrawn (also by the service) or gets its last approval, never both, if both come at the same time', async () => {
    const { requester, approvers } = await given()
    for (let round = 0; round < 4; round += 1) {
      const { approvalId } = await one.ask('approvals.start', action, { token: requester.token })
      await approve(approvalId, approvers[0])
      const withdraw = () => other.call('approvals.withdraw', { approvalId }, { token: requester.token })
      // Read before the race, because a withdrawn request is no longer in the pending list.
      const shown = await pendingOf(approvalId, approvers[1])
      const [approved, withdrawn] = await Promise.all([approve(approvalId, approvers[1], one, shown), withdraw()])
      expect([approved.status, withdrawn.status].sort()).toEqual([200, 410])
      const isWithdrawn = withdrawn.status === 200
      expect(await read(approvalId, requester)).toMatchObject({
        status: isWithdrawn ? 'expired' : 'approved',
        withdrawnAt: isWithdrawn ? expect.any(String) : null,
      })
      expect(outcomeOf(await withdraw())).toEqual(refused(isWithdrawn ? 'approval_expired' : 'approval_decided', 410))
      expect((await redeem(approvalId)).status).toBe(isWithdrawn ? 410 : 200)
    }
    const { approvalId } = await one.ask('approvals.start', action, { token: requester.token })
    await pendingOf(approvalId, approvers[0])
    const withdrawn = await other.ask('services.withdrawApproval', { approvalId }, { token })
    expect(withdrawn).toMatchObject({ approvalId, status: 'expired', withdrawnAt: expect.any(String) })
    expect(await one.ask('services.approval', { approvalId }, { token })).toEqual(withdrawn)
    expect(await read(approvalId, requester)).toEqual(withdrawn)
    await expect(pendingOf(approvalId, approvers[0])).rejects.toThrow('not asked')
  })

  it('is redeemed or ended by a tighter policy, never both, if both come at the same time', async () => {
    const policy = (count: number) => ({ actionType: 'payment_approval', permission: APPROVES, count }) as const
    const { requester, approvers } = await given()
    for (let round = 0; round < 4; round += 1) {
      await one.countersign.actionPolicies.set(policy(2))
      const { approvalId } = await one.ask('approvals.start', action, { token: requester.token })
      await approve(approvalId, approvers[0])
      await approve(approvalId, approvers[1])
      const [redeemed] = await Promise.all([redeem(approvalId), one.countersign.actionPolicies.set(policy(3))])
      const isWon = redeemed.status === 200
      if (!isWon) expect(outcomeOf(redeemed)).toEqual(refused('policy_changed', 409))
      expect(outcomeOf(await redeem(approvalId))).toEqual(
        isWon ? refused('approval_redeemed', 410) : refused('policy_changed', 409),
      )
    }
  })

  it("counts a user and the user's delegate once, and is redeemed only before the end of the delegation", async () => {
    const { requester, approvers } = await given()
    const delegate = await signInWithDevice(one)
    const [{ email: from }, { email: to }] = [approvers[0].user, delegate.user]
    const lent = { from, to, permission: APPROVES }
    const until = one.clock.now() + 86_400_000
    for (let round = 0; round < 4; round += 1) {
      await one.countersign.users.delegate({ ...lent, until })
      const { approvalId } = await one.ask('approvals.start', action, { token: requester.token })
      const both = [approvers[0], delegate]
      const voted = await Promise.all(both.map((user, at) => approve(approvalId, user, at === 0 ? one : other)))
      expect(voted.map(({ status }) => status)).toEqual([200, 200])
      expect(await read(approvalId, requester)).toMatchObject({ status: 'pending', approvals: 1 })
      expect((await redeem(approvalId)).status).toBe(409)
      await one.ask('approvals.withdraw', { approvalId }, { token: requester.token })

      const next = await one.ask('approvals.start', action, { token: requester.token })
      await approve(next.approvalId, delegate)
      await approve(next.approvalId, approvers[1])
      const [redeemed] = await Promise.all([redeem(next.approvalId), one.countersign.users.endDelegation(lent)])
      if (redeemed.status !== 200) expect(outcomeOf(redeemed)).toEqual(refused('approval_not_approved', 409))
      expect(outcomeOf(await redeem(next.approvalId))).toEqual(
        redeemed.status === 200 ? refused('approval_redeemed', 410) : refused('approval_not_approved', 409),
      )
      if (redeemed.status !== 200)
        await one.ask('approvals.withdraw', { approvalId: next.approvalId }, { token: requester.token })
    }
  })

  it('can be redeemed with the policy stated by its digest or by its groups, but only in one of these ways', async () => {
    const { approvalId, approvers } = await given()
    const { statement } = await pendingOf(approvalId, approvers[0])
    const groups = [{ permission: APPROVES, count: 2 }]
    const unstated = { permission: undefined, count: undefined }
    await approve(approvalId, approvers[0])
    await approve(approvalId, approvers[1])
    expect((await redeem(approvalId, unstated)).status).toBe(400)
    expect((await redeem(approvalId, { groups })).status).toBe(400)
    expect((await redeem(approvalId, { ...unstated, groups: [] })).status).toBe(400)
    expect(outcomeOf(await redeem(approvalId, { ...unstated, groups: 'none' }))).toEqual(refused('other_policy', 409))
    const key = { idempotencyKey: 'digest 1' }
    const { digest } = statement.approval?.policy ?? {}
    expect((await redeem(approvalId, { ...unstated, ...key, digest })).status).toBe(200)
    expect((await redeem(approvalId, { ...unstated, ...key, groups })).status).toBe(200)
  })

  it('is not approved by its requester, with a stolen web session or with the own device', async () => {
    const { requester, approvalId, approvers } = await given()
    const { confirmationId, challenge } = await pendingOf(approvalId, approvers[0])
    // Requests of others would ask the requester too, who has the permission.
    await expect(pendingOf(approvalId, requester)).rejects.toThrow('not asked')
    const signed = { confirmationId, deviceId: requester.device.id, signedChallenge: requester.signer.sign(challenge) }
    for (const session of [requester.token, requester.deviceToken]) {
      expect((await one.call('confirmations.verify', signed, { token: session })).status).toBeGreaterThanOrEqual(400)
      expect((await one.call('confirmations.reject', { confirmationId }, { token: session })).status).toBe(404)
    }
    expect(await read(approvalId, requester)).toMatchObject({ status: 'pending', approvals: 0 })
    const stranger = await signIn(one)
    const foreign = await one.call('approvals.read', { approvalId }, { token: stranger.token })
    expect(outcomeOf(foreign)).toEqual(refused('approval_not_found', 404))
  })

  it('is ended by the rejection on one device, but not by a stolen web session of an approver', async () => {
    const { requester, approvalId, approvers } = await given()
    expect((await reject(approvalId, approvers[2], approvers[2].token)).status).toBe(200)
    expect(await read(approvalId, requester)).toMatchObject({ status: 'pending' })
    await approve(approvalId, approvers[0])
    expect((await reject(approvalId, approvers[1])).status).toBe(200)
    expect(await read(approvalId, requester)).toMatchObject({ status: 'rejected' })
    expect(outcomeOf(await redeem(approvalId))).toEqual(refused('approval_not_approved', 409))
    const left = await one.ask('confirmations.pending', {}, { token: approvers[2].deviceToken })
    expect(left.confirmations.filter(({ statement }) => statement.approval?.id === approvalId)).toEqual([])
  })

  const losses: readonly (readonly [string, (user: DeviceUser) => Promise<unknown>])[] = [
    ['lost the permission', ({ user: { email } }) => one.countersign.users.revoke({ email, permissions: [APPROVES] })],
    ['was disabled', ({ user: { email } }) => one.countersign.users.disable({ email })],
    ['was locked', ({ user: { email } }) => one.countersign.users.lock({ email })],
    [
      'removed the device',
      ({ device, deviceToken }) => one.ask('devices.remove', { deviceId: device.id }, { token: deviceToken }),
    ],
  ]
  it.each(losses)('does not count the approval of a user who then %s', async (_, loses) => {
    const { requester, approvalId, approvers } = await given()
    await approve(approvalId, approvers[0])
    await approve(approvalId, approvers[1])
    await loses(approvers[0])
    expect(await read(approvalId, requester)).toMatchObject({ status: 'pending', approvals: 1 })
    expect(outcomeOf(await redeem(approvalId))).toEqual(refused('approval_not_approved', 409))
    expect((await approve(approvalId, approvers[2])).status).toBe(200)
    expect((await redeem(approvalId)).status).toBe(200)
  })

  it('is redeemed either before or not at all if such a loss comes at the same time', async () => {
    for (const [, loses] of losses) {
      const { requester, approvalId, approvers } = await given()
      await approve(approvalId, approvers[0])
      await approve(approvalId, approvers[1])
      const [{ status }] = await Promise.all([redeem(approvalId), loses(approvers[0])])
      expect([200, 409]).toContain(status)
      const expected = status === 200 ? 'redeemed' : 'pending'
      expect(await read(approvalId, requester)).toMatchObject({ status: expected, approvals: status === 200 ? 2 : 1 })
    }
  })

  it('is used by one of 100 redemptions at two servers; redemptions with the same key get the same answer', async () => {
    const { approvalId, approvers } = await given()
    await approveByAll(approvalId, approvers)
    const answers = await concurrently(100, (at) =>
      redeem(approvalId, { idempotencyKey: `key-${at}` }, at % 2 === 0 ? one : other),
    )
    expect(statusesOf(answers)).toEqual({ 200: 1, 410: 99 })

    const again = await given()
    await approveByAll(again.approvalId, again.approvers)
    const same = await concurrently(100, (at) => redeem(again.approvalId, { idempotencyKey: 'key' }, at % 2 === 0 ? one : other))
    expect(new Set(same.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(same[0]?.status).toBe(200)
  })

  it('ends once, by a redemption or by a rejection at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { requester, approvalId, approvers } = await given()
      // Read before the approvals: a request with enough of them waits for nobody.
      const shown = await pendingOf(approvalId, approvers[2])
      await approve(approvalId, approvers[0])
      await approve(approvalId, approvers[1])
      const [redeemed, rejected] = await Promise.all([
        redeem(approvalId),
        reject(approvalId, approvers[2], approvers[2].deviceToken, shown),
      ])
      expect([redeemed.status, rejected.status]).toEqual(redeemed.status === 200 ? [200, 410] : [409, 200])
      const expected = redeemed.status === 200 ? 'redeemed' : 'rejected'
      expect(await read(approvalId, requester)).toMatchObject({ status: expected })
    }
  })

  it('is approved or rejected by a user, never both, if both come at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { requester, approvalId, approvers } = await given()
      const [approver] = approvers
      const shown = await pendingOf(approvalId, approver)
      const [approved, rejected] = await Promise.all([
        approve(approvalId, approver, other, shown),
        reject(approvalId, approver, approver.deviceToken, shown),
      ])
      expect([approved.status, rejected.status].sort()).toEqual([200, 410])
      const expected = approved.status === 200 ? 'pending' : 'rejected'
      expect(await read(approvalId, requester)).toMatchObject({ status: expected })
    }
  })

  it('gives approvals that cannot be used for anything else', async () => {
    const { approvalId, approvers } = await given()
    const [{ user }] = approvers
    const { confirmationId } = await pendingOf(approvalId, approvers[0])
    await approve(approvalId, approvers[0])
    const single = await one.call('services.redeem', { confirmationId, userId: user.id, ...action }, { token })
    expect(outcomeOf(single)).toEqual(refused('confirmation_not_found', 404))
    const use = { confirmationId, userId: user.id, ...action, consumedBy: 'payment 1' }
    await expect(one.countersign.confirmations.consume(use)).rejects.toMatchObject({ code: 'confirmation_not_approved' })
    expect((await one.call('services.confirmation', { confirmationId }, { token })).status).toBe(404)
    expect((await one.call('services.receipt', { confirmationId }, { token })).status).toBe(404)
  })

  it('is refused if the requester has five open requests', async () => {
    const { requester } = await given()
    const answers = await concurrently(10, (at) =>
      (at % 2 === 0 ? one : other).call('approvals.start', action, { token: requester.token }),
    )
    expect(statusesOf(answers)).toEqual({ 200: 4, 429: 6 })
  })
})

it('an approval that somebody moved to another request in the database does not count there', async () => {
  const { url, drop, query } = await createPostgresDatabase()
  const storage = await openStorage(url)
  try {
    await storage.migrate()
    const test = await createTestApp({ storage })
    const requester = await signInWithDevice(test)
    const token = await serviceToken(test)
    const cheap = await startRequest(test, requester.token, { amount: 1 })
    for (const approver of cheap.approvers) await approvePending(test, approver)
    const dear = await test.ask('approvals.start', action, { token: requester.token })
    const redeem = (approvalId: string, actionPayload: object) =>
      test.call('services.redeemApproval', { approvalId, ...action, actionPayload, permission: APPROVES, count: 2 }, { token })
    await query(`delete from countersign.confirmations where approval_id = '${dear.approvalId}'`)
    await query(`update countersign.confirmations set approval_id = '${dear.approvalId}'`)
    const read = await test.ask('approvals.read', { approvalId: dear.approvalId }, { token: requester.token })
    expect(read).toMatchObject({ approvals: 2 })
    expect((await redeem(dear.approvalId, aPayment)).status).toBe(409)
    await query(`update countersign.confirmations set approval_id = '${cheap.approvalId}'`)
    expect((await redeem(cheap.approvalId, { ...aPayment, amount: 1 })).status).toBe(200)
  } finally {
    await storage.close()
    await drop()
  }
})
