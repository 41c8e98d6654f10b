import { randomUUID } from 'node:crypto'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Notice } from '../../identity/push/notify-of-change.ts'
import { minutes } from '../../shared/clock.ts'
import { approve, approvePending } from '../../testing/approve-payment.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { approvalByPasskey, registerTestPasskey } from '../../testing/passkeys.ts'
import {
  createTestUser,
  type DeviceUser,
  registerTestDevice,
  signInByDevice,
  signInByHost,
  signInNewDeviceUser,
} from '../../testing/sign-in.ts'
import { givenService, signInByService, signInDeviceUserByService } from '../../testing/sign-in-by-service.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'

const permission = 'payment.approve'
const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const

let test: TestCountersign
let notices: Notice[]
let seen: number
beforeEach(async () => {
  notices = []
  seen = 0
  test = await createTestCountersign({
    options: { passkeyApprovals: true, approvalPolicies: { payment_approval: { permission, count: 2 } } },
    onNotice: (notice) => void notices.push(notice),
  })
})

/** Returns the confirmations whose notifications were replaced since the last call, each with the device. */
const replaced = async () => {
  await test.background.drain()
  const settled = test.push.sent.filter(({ type }) => type === 'confirmation.settled')
  const all = settled.map((message) => ['confirmationId' in message && message.confirmationId, message.deviceId])
  const fresh = all.slice(seen)
  seen = all.length
  return fresh.sort()
}

describe('the decision about a new device', () => {
  const given = async () => {
    const user = await signInNewDeviceUser(test, { pushToken: randomUUID() })
    test.clock.advance(minutes(11))
    const { caller } = await signInByDevice(test, user)
    const { device } = await registerTestDevice(test, user.web.caller)
    const vouching = device.vouching ?? expect.fail('no vouching was started')
    await test.background.drain()
    notices = []
    const before = test.push.sent.length
    const notified = async () => {
      await test.background.drain()
      const sent = test.push.sent.slice(before).flatMap((message) => (message.type === 'account.changed' ? [message.change] : []))
      return { host: notices.map(({ change }) => change), phone: sent }
    }
    return { user, caller, device, vouching, notified }
  }

  it('notifies the host and the phones of the person if the device became trusted', async () => {
    const { user, caller, vouching, notified } = await given()
    const { confirmationId, matchNumber } = vouching
    const [asked] = await test.countersign.confirmations.pending({ caller })
    const signedChallenge = user.signer.sign(asked?.challenge ?? '')
    const answer = { confirmationId, deviceId: user.device.id, signedChallenge, matchNumber: matchNumber ?? '' }
    await test.countersign.confirmations.approve({ ...answer, caller })
    expect(await notified()).toStrictEqual({ host: ['trust_changed'], phone: ['trust_changed'] })
  })

  it('notifies the host and the phones of the person if the device was removed', async () => {
    const { caller, vouching, notified } = await given()
    await test.countersign.confirmations.reject({ caller, confirmationId: vouching.confirmationId })
    expect(await notified()).toStrictEqual({ host: ['device_removed'], phone: ['device_removed'] })
  })

  it('notifies nobody if the decision is about another action', async () => {
    const { user, notified } = await given()
    await approve(test, user, await initiatePayment(test, user.web.caller))
    const { id: confirmationId } = await initiatePayment(test, user.web.caller)
    await test.countersign.confirmations.reject({ caller: user.web.caller, confirmationId })
    expect(await notified()).toStrictEqual({ host: [], phone: [] })
  })
})

describe('the phones of one person of two customers', () => {
  it('learn nothing of a decision in the tenant of the other customer', async () => {
    const permissions = ['tenant.member@acme', 'tenant.member@other']
    const user = await createTestUser(test, { permissions, password: undefined })
    const [acme, other] = [await givenService(test, 'acme-app', 'acme'), await givenService(test, 'other-app', 'other')]
    const phone = await signInDeviceUserByService(test, acme, user, { pushToken: randomUUID() })
    const foreign = await signInDeviceUserByService(test, other, user, { pushToken: randomUUID() })
    const ask = ({ service }: typeof acme, tenant: string) =>
      test.countersign.services.initiate({ ...action, service, userId: user.id, tenant })
    const [ofAcme, ofOther] = [await ask(acme, 'acme'), await ask(other, 'other')]
    await test.background.drain()
    await test.countersign.confirmations.reject({ caller: foreign.web.caller, confirmationId: ofOther.id })
    expect(await replaced()).toStrictEqual([[ofOther.id, foreign.device.id]])
    await test.countersign.confirmations.reject({ caller: phone.web.caller, confirmationId: ofAcme.id })
    expect(await replaced()).toStrictEqual([[ofAcme.id, phone.device.id]])
  })

  it('stay bound if a passkey that is not bound vouches in a session that is bound', async () => {
    const user = await createTestUser(test, { permissions: ['tenant.member@acme'], password: undefined })
    const acme = await givenService(test, 'acme-app', 'acme')
    await signInDeviceUserByService(test, acme, user)
    const own = await registerTestPasskey(test, (await signInByHost(test, { id: user.id })).caller)
    expect(own.passkey).toMatchObject({ trusted: true, tenants: null })
    const { caller } = await signInByService(test, acme, user)
    const { device } = await registerTestDevice(test, caller)
    const { confirmationId, matchNumber } = device.vouching ?? expect.fail('no vouching was started')
    const asked = await test.storage.confirmations.byId(confirmationId)
    const answer = approvalByPasskey(own.virtual, asked ?? expect.fail('nobody was asked'))
    await test.countersign.confirmations.approve({ ...answer, caller, matchNumber: matchNumber ?? '' })
    const trusted = { trustedAt: test.clock.now(), tenants: ['acme'] }
    expect(await test.storage.devices.byId(device.id)).toMatchObject(trusted)
  })
})

describe('the notifications of a request that an approver stops', () => {
  /** Each approver has a phone; the first one has a tablet too. */
  const given = async () => {
    const requester = await signInNewDeviceUser(test)
    const aPerson = () => signInNewDeviceUser(test, { permissions: [permission], pushToken: randomUUID() })
    const approvers = [await aPerson(), await aPerson(), await aPerson()] as const
    const tablet = await registerTestDevice(test, approvers[0].web.caller, { pushToken: randomUUID() })
    const { id: approvalId } = await test.countersign.approvalRequests.start({ ...action, caller: requester.web.caller })
    await test.background.drain()
    const votes = await test.storage.approvalRequests.confirmationsOf(approvalId)
    const voteOf = ({ user }: DeviceUser) => votes.find(({ userId }) => userId === user.id)?.id
    const stop = () =>
      test.countersign.approvalRequests.stop({ caller: approvers[0].mobile.caller, approvalId, reason: 'The invoice is forged' })
    const others = approvers.slice(1).map((one) => [voteOf(one), one.device.id])
    return { approver: approvers[0], tablet, stop, others, vote: voteOf(approvers[0]) }
  }

  it('are replaced on all phones but the one that stopped it', async () => {
    const { tablet, stop, others, vote } = await given()
    await stop()
    expect(await replaced()).toStrictEqual([...others, [vote, tablet.device.id]].sort())
  })

  it('are not replaced again on the tablet of an approver who approved before', async () => {
    const { approver, tablet, stop, others, vote } = await given()
    await approvePending(test, approver)
    expect(await replaced()).toStrictEqual([[vote, tablet.device.id]])
    await stop()
    expect(await replaced()).toStrictEqual(others.toSorted())
  })
})
