import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { PasskeyNotFound } from '../../identity/passkeys/errors.ts'
import { Unavailable } from '../../shared/errors.ts'
import { approve, approvePending } from '../../testing/approve-payment.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { approvalByPasskey, registerTestPasskey, signInByPasskey } from '../../testing/passkeys.ts'
import { type DeviceUser, type SignedIn, signIn, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'
import type { InitiatedConfirmation } from '../confirmations/build-confirmation.ts'
import {
  ConfirmationExpired,
  ConfirmationNotFound,
  ConfirmationUsed,
  WrongConfirmationSignature,
} from '../confirmations/errors.ts'
import { ApprovalDecided, ApprovalNotApproved, ApprovalNotFound, ApprovalUsed } from '../requests/errors.ts'

const permission = 'payment.approve'
const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const
const service = { name: 'billing', scopes: ['approval.redeem:payment_approval'] }

type Work = () => Promise<unknown>

/** The changes to make, one before each of the next transactions: after a use case has read, and before it writes. */
let changes: Work[]
const beforeTransactions = (...next: Work[]): void => {
  changes = next
}
const makeChanges = ({ storage }: TestCountersign): void => {
  const { transaction } = storage
  changes = []
  vi.spyOn(storage, 'transaction').mockImplementation(async (use) => {
    const change = changes.shift()
    const later = changes
    changes = []
    await change?.()
    changes = later
    return transaction(use)
  })
}

/** Runs a change after an approval has read, and before it is stored. */
const beforeTheApproval = ({ storage: { confirmations } }: TestCountersign, change: Work): void => {
  const { approve: store } = confirmations
  vi.spyOn(confirmations, 'approve').mockImplementationOnce(async (approval) => {
    await change()
    return store(approval)
  })
}

let test: TestCountersign
let user: DeviceUser
let confirmation: InitiatedConfirmation
const givenTest = async (count = 1) => {
  const approvalPolicies = { payment_approval: { permission, count } } as const
  test = await createTestCountersign({ options: { passkeyApprovals: true, approvalPolicies } })
  makeChanges(test)
  user = await signInNewDeviceUser(test)
}
beforeEach(async () => {
  await givenTest()
  confirmation = await initiatePayment(test, user.web.caller)
})

const rejectAs = (caller: SignedIn['caller'], more: object = {}) =>
  test.countersign.confirmations.reject({ caller, confirmationId: confirmation.id, ...more })
const withdraw = () => test.countersign.confirmations.withdraw({ caller: user.web.caller, confirmationId: confirmation.id })
const approveIt = () => approve(test, user, confirmation)
const stored = () => test.storage.confirmations.byId(confirmation.id)
const end = ({ caller: { sessionId: id } }: Pick<SignedIn, 'caller'>) => test.countersign.sessions.revoke({ id })

describe('an approval', () => {
  it('is refused with the reason if the confirmation was decided or withdrawn meanwhile', async () => {
    beforeTheApproval(test, withdraw)
    await expect(approveIt()).rejects.toStrictEqual(new ConfirmationExpired())
    confirmation = await initiatePayment(test, user.web.caller)
    beforeTheApproval(test, () => rejectAs(user.web.caller))
    await expect(approveIt()).rejects.toStrictEqual(new ConfirmationUsed())
    expect(await stored()).toMatchObject({ status: 'rejected', evidence: null })
  })

  it('is refused if the session ended meanwhile', async () => {
    beforeTheApproval(test, () => end(user.mobile))
    await expect(approveIt()).rejects.toStrictEqual(new InvalidAccessToken())
    expect(await stored()).toMatchObject({ status: 'pending', evidence: null })
  })

  it('by a passkey is refused if the passkey was removed meanwhile, or if its counter has risen', async () => {
    const { caller } = user.web
    const { virtual, passkey } = await registerTestPasskey(test, caller, { virtual: createVirtualPasskey({ counts: true }) })
    const byPasskey = () =>
      test.countersign.confirmations.approve({ ...approvalByPasskey(virtual, confirmation, { signCount: 9 }), caller })
    beforeTheApproval(test, () => signInByPasskey(test, virtual, { changes: { signCount: 9 } }))
    await expect(byPasskey()).rejects.toStrictEqual(new WrongConfirmationSignature())
    expect(await stored()).toMatchObject({ status: 'pending', wrongSignatures: 1 })
    const again = () =>
      test.countersign.confirmations.approve({ ...approvalByPasskey(virtual, confirmation, { signCount: 10 }), caller })
    beforeTheApproval(test, () => test.countersign.passkeys.remove({ caller, credentialId: passkey.id }))
    await expect(again()).rejects.toStrictEqual(new PasskeyNotFound())
    expect(await stored()).toMatchObject({ status: 'pending', wrongSignatures: 1, passkeyId: null })
  })

  it('of an unknown confirmation is refused as unknown, even if the database fails to read the device', async () => {
    const { storage } = test
    const ofUser = async () => {
      throw new Unavailable()
    }
    // A spy would handle the rejected promise, which nothing else must leave unhandled.
    const elsewhere = await createTestCountersign({ ...test, storage: { ...storage, devices: { ...storage.devices, ofUser } } })
    const unknown = approve(elsewhere, user, { ...confirmation, id: 'conf_x' })
    await expect(unknown).rejects.toStrictEqual(new ConfirmationNotFound())
    await expect(approve(elsewhere, user, confirmation)).rejects.toThrow(Unavailable)
    await approveIt()
  })
})

describe('a rejection', () => {
  it('is refused with the reason if the confirmation was decided or withdrawn meanwhile', async () => {
    beforeTransactions(withdraw)
    await expect(rejectAs(user.mobile.caller)).rejects.toStrictEqual(new ConfirmationExpired())
    confirmation = await initiatePayment(test, user.web.caller)
    beforeTransactions(approveIt)
    await expect(rejectAs(user.mobile.caller)).rejects.toStrictEqual(new ConfirmationUsed())
    expect(await stored()).toMatchObject({ status: 'approved' })
  })

  it('is refused if the session ended meanwhile', async () => {
    const another = await signIn(test, user.user)
    beforeTransactions(() => end(another))
    await expect(rejectAs(another.caller)).rejects.toStrictEqual(new InvalidAccessToken())
    expect(await stored()).toMatchObject({ status: 'pending' })
  })

  it('by `notMe` ends no session if the confirmation was approved or the device was removed meanwhile', async () => {
    const thief = await signIn(test, user.user)
    const isLive = async () => (await test.storage.sessions.status(thief.caller.sessionId)) !== undefined
    confirmation = await initiatePayment(test, thief.caller)
    beforeTransactions(approveIt)
    await expect(rejectAs(user.mobile.caller, { notMe: true })).rejects.toStrictEqual(new ConfirmationUsed())
    expect([await isLive(), (await stored())?.status]).toStrictEqual([true, 'approved'])
    confirmation = await initiatePayment(test, thief.caller)
    const { id: deviceId, userId } = user.device
    beforeTransactions(() => test.storage.devices.remove(userId, deviceId, test.clock.now()))
    await expect(rejectAs(user.mobile.caller, { notMe: true })).rejects.toStrictEqual(new InvalidAccessToken())
    expect([await isLive(), (await stored())?.status]).toStrictEqual([true, 'pending'])
  })
})

describe('a withdrawal', () => {
  it('is refused if the confirmation was approved meanwhile', async () => {
    beforeTransactions(approveIt)
    await expect(withdraw()).rejects.toStrictEqual(new ConfirmationUsed())
    expect(await stored()).toMatchObject({ status: 'approved' })
  })

  /** A request that lacks one of `count` approvals after `approvers` have approved. */
  const givenRequest = async (count: number) => {
    await givenTest(count)
    const approvers: DeviceUser[] = []
    for (let one = 0; one < count; one += 1) approvers.push(await signInNewDeviceUser(test, { permissions: [permission] }))
    const { caller } = user.web
    const { approvalRequests } = test.countersign
    const { id: approvalId } = await approvalRequests.start({ ...action, caller })
    const votes = approvers.map((one) => () => approvePending(test, one))
    return { votes, withdrawRequest: () => approvalRequests.withdraw({ caller, approvalId }) }
  }

  it('of a request that lacks approvals succeeds, although two people approve meanwhile', async () => {
    const { votes, withdrawRequest } = await givenRequest(3)
    beforeTransactions(...votes.slice(0, 2))
    expect(await withdrawRequest()).toMatchObject({ status: 'expired', approvals: 2, withdrawnAt: test.clock.now() })
  })

  it('of a request is refused after three attempts, if somebody approves during each', async () => {
    const { votes, withdrawRequest } = await givenRequest(4)
    beforeTransactions(...votes.slice(0, 3))
    await expect(withdrawRequest()).rejects.toStrictEqual(new ApprovalDecided())
    expect(await withdrawRequest()).toMatchObject({ status: 'expired', approvals: 3 })
  })
})

describe('a use of a request', () => {
  const given = async () => {
    const approver = await signInNewDeviceUser(test, { permissions: [permission] })
    const { approvalRequests, users } = test.countersign
    const { id: requestId } = await approvalRequests.start({ ...action, caller: user.web.caller })
    await approvePending(test, approver)
    const grant = (name: string) => () => users.grant({ email: approver.user.email, permissions: [`project.${name}`] })
    const use = () =>
      approvalRequests.consume({ ...action, requestId, policy: { permission, count: 1 }, consumedBy: 'payment 1' })
    return { grant, use }
  }

  it('succeeds although the approver changes twice meanwhile', async () => {
    const { grant, use } = await given()
    beforeTransactions(grant('read'), grant('create'))
    expect(await use()).toMatchObject({ receipts: [expect.any(String)] })
  })

  it('is refused after three attempts, if the approver changes during each', async () => {
    const { grant, use } = await given()
    beforeTransactions(grant('read'), grant('create'), grant('update'))
    await expect(use()).rejects.toStrictEqual(new ApprovalNotApproved())
    expect(await use()).toMatchObject({ receipts: [expect.any(String)] })
  })
})

describe('a stop of a request', () => {
  const reason = 'The invoice is forged'
  const given = async () => {
    const approvers = [
      await signInNewDeviceUser(test, { permissions: [permission] }),
      await signInNewDeviceUser(test, { permissions: [permission] }),
    ] as const
    const { approvalRequests } = test.countersign
    const { id: approvalId } = await approvalRequests.start({ ...action, caller: user.web.caller })
    await approvePending(test, approvers[0])
    const stop = ({ mobile: { caller } }: DeviceUser) => approvalRequests.stop({ caller, approvalId, reason })
    const redeem = () => approvalRequests.redeem({ ...action, service, approvalId, permission, count: 1 })
    const status = async () => (await approvalRequests.read({ caller: user.web.caller, approvalId })).status
    return { approver: approvers[0], other: approvers[1], stop, redeem, status }
  }

  it('is refused with the reason if the request was used or stopped meanwhile', async () => {
    const used = await given()
    beforeTransactions(used.redeem)
    await expect(used.stop(used.approver)).rejects.toStrictEqual(new ApprovalUsed())
    expect(await used.status()).toBe('redeemed')
    const stopped = await given()
    beforeTransactions(() => stopped.stop(stopped.other))
    await expect(stopped.stop(stopped.approver)).rejects.toStrictEqual(new ApprovalDecided())
  })

  it('is refused if the session has ended or the device was removed meanwhile', async () => {
    const { approver, other, stop, status } = await given()
    beforeTransactions(() => end(approver.mobile))
    await expect(stop(approver)).rejects.toStrictEqual(new InvalidAccessToken())
    const { id: deviceId, userId } = other.device
    beforeTransactions(() => test.storage.devices.remove(userId, deviceId, test.clock.now()))
    await expect(stop(other)).rejects.toStrictEqual(new ApprovalNotFound())
    expect(await status()).toBe('approved')
  })
})
