import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { approve, approvePayment } from '../testing/approve-payment.ts'
import { initiatePayment } from '../testing/initiate-payment.ts'
import { type DeviceUser, signInNewDeviceUser } from '../testing/sign-in.ts'
import { createTestDevice } from '../testing/test-device.ts'
import { validPayloads } from '../testing/valid-payloads.ts'
import type { ConfirmationStep } from './observer.ts'

let steps: ConfirmationStep[]
let test: TestCountersign
let user: DeviceUser
beforeEach(async () => {
  steps = []
  test = await createTestCountersign({ observer: { confirmation: (step) => steps.push(step) } })
  user = await signInNewDeviceUser(test)
})

const consume = (confirmationId: string) =>
  test.countersign.confirmations.consume({
    confirmationId,
    userId: user.user.id,
    actionType: 'payment_approval',
    actionPayload: validPayloads.payment_approval,
    consumedBy: 'payment 1',
  })

/** Returns the outcomes of the steps so far, after the work that follows responses. */
const outcomes = async () => {
  await test.background.drain()
  expect(new Set(steps.map(({ actionType }) => actionType))).toEqual(new Set(['payment_approval']))
  return steps.map(({ outcome }) => outcome).sort()
}

describe('the observer is called', () => {
  it('for an approval and for its one use', async () => {
    const { id } = await approvePayment(test, user)
    await consume(id)
    await consume(id)
    expect(await outcomes()).toEqual(['approved', 'consumed', 'initiated'])
  })

  it('for a rejection', async () => {
    const { id: confirmationId } = await initiatePayment(test, user.web.caller)
    await test.countersign.confirmations.reject({ caller: user.web.caller, confirmationId })
    await expect(test.countersign.confirmations.reject({ caller: user.web.caller, confirmationId })).rejects.toThrow()
    expect(await outcomes()).toEqual(['initiated', 'rejected'])
  })

  it('with the time that the user took to decide, and with no time for other steps', async () => {
    const asked = [await initiatePayment(test, user.web.caller), await initiatePayment(test, user.web.caller)] as const
    test.clock.advance(7000)
    await approve(test, user, asked[0])
    test.clock.advance(1000)
    await test.countersign.confirmations.reject({ caller: user.web.caller, confirmationId: asked[1].id })
    await consume(asked[0].id)
    const times = steps.map(({ outcome, decidedAfter }) => [outcome, decidedAfter])
    expect(times.slice(-3)).toEqual([
      ['approved', 7000],
      ['rejected', 8000],
      ['consumed', undefined],
    ])
  })

  it('for a wrong signature, and then not for an approval', async () => {
    const confirmation = await initiatePayment(test, user.web.caller)
    await expect(approve(test, { ...user, signer: createTestDevice('ES256') }, confirmation)).rejects.toThrow()
    expect(await outcomes()).toEqual(['initiated', 'wrong_signature'])
  })

  it('for a wrong match number', async () => {
    const { id, challenge, matchNumber } = await test.countersign.confirmations.initiate({
      caller: user.web.caller,
      actionType: 'payment_approval',
      actionPayload: validPayloads.payment_approval,
      numberMatching: true,
    })
    const wrong = matchNumber === '10' ? '11' : '10'
    const verification = test.countersign.confirmations.approve({
      caller: user.mobile.caller,
      confirmationId: id,
      deviceId: user.device.id,
      signedChallenge: user.signer.sign(challenge),
      matchNumber: wrong,
    })
    await expect(verification).rejects.toThrow()
    expect(await outcomes()).toEqual(['initiated', 'wrong_number'])
  })
})

it('an observer that throws stops nothing, and its failure is logged without the message', async () => {
  const failing = await createTestCountersign({
    observer: {
      confirmation: () => {
        throw new TypeError('secret-detail')
      },
    },
  })
  await approvePayment(failing, await signInNewDeviceUser(failing))
  expect(failing.logger.entries).toContainEqual({ level: 'warn', event: 'observer_failed', fields: { reason: 'TypeError' } })
  expect(JSON.stringify(failing.logger.entries)).not.toContain('secret-detail')
})
