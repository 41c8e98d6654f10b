import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { InsufficientTrustLevel } from '../../identity/authentication/caller.ts'
import { minutes, seconds, toIsoTimestamp } from '../../shared/clock.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { type DeviceUser, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { confirmationChallenge } from '../records/confirmation-challenge.ts'

let test: TestCountersign
let user: DeviceUser
beforeEach(async () => {
  test = await createTestCountersign()
  user = await signInNewDeviceUser(test)
})

const pending = (caller = user.mobile.caller) => test.countersign.confirmations.pending({ caller })
const pendingIds = async () => (await pending()).map(({ id }) => id)

describe('the list of pending confirmations', () => {
  it('is sorted, newest first', async () => {
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1) {
      ids.unshift((await initiatePayment(test, user.web.caller)).id)
      test.clock.advance(seconds(1))
    }
    expect(await pendingIds()).toStrictEqual(ids)
  })

  it('holds everything that a device needs to compute a challenge and sign it', async () => {
    const { id } = await initiatePayment(test, user.web.caller, { recipient: 'Zoë', description: '€ 5' })
    const [waiting] = await pending()
    if (waiting === undefined) throw new Error('no confirmation is pending')
    const statement = {
      confirmationId: id,
      userId: user.user.id,
      actionType: waiting.actionType,
      actionPayload: JSON.parse(waiting.actionPayloadText),
      expiresAt: toIsoTimestamp(waiting.expiresAt),
    }
    expect(confirmationChallenge(Buffer.from(waiting.nonce, 'base64'), statement)).toBe(waiting.challenge)
    await test.countersign.confirmations.approve({
      caller: user.mobile.caller,
      confirmationId: id,
      deviceId: user.device.id,
      signedChallenge: user.signer.sign(waiting.challenge),
    })
    expect(await pendingIds()).toStrictEqual([])
  })

  it('holds challenges that change with every member of the statement', async () => {
    await initiatePayment(test, user.web.caller)
    const [{ id, actionType, actionPayloadText, nonce, expiresAt, challenge } = expect.fail('no confirmation is pending')] =
      await pending()
    const statement = {
      confirmationId: id,
      userId: user.user.id,
      actionType,
      actionPayload: JSON.parse(actionPayloadText) as Record<string, unknown>,
      expiresAt: toIsoTimestamp(expiresAt),
    }
    const otherStatements = [
      { ...statement, confirmationId: `${id}0` },
      { ...statement, userId: user.user.id + 1 },
      { ...statement, actionType: 'purchase_order' as const },
      { ...statement, actionPayload: { ...statement.actionPayload, amount: 1250.51 } },
      { ...statement, actionPayload: { ...statement.actionPayload, more: null } },
      { ...statement, expiresAt: toIsoTimestamp(expiresAt + 1) },
    ]
    const otherChallenges = otherStatements.map((other) => confirmationChallenge(Buffer.from(nonce, 'base64'), other))
    expect(new Set([challenge, ...otherChallenges]).size).toBe(otherStatements.length + 1)
    expect(confirmationChallenge(Buffer.alloc(64), statement)).not.toBe(challenge)
  })

  it('has no confirmation of another user', async () => {
    const stranger = await signInNewDeviceUser(test)
    await initiatePayment(test, stranger.web.caller)
    expect(await pending()).toStrictEqual([])
  })

  it('has no settled and no expired confirmation', async () => {
    const [rejected, expiring] = [await initiatePayment(test, user.web.caller), await initiatePayment(test, user.web.caller)]
    await test.countersign.confirmations.reject({ caller: user.web.caller, confirmationId: rejected.id })
    test.clock.set(expiring.expiresAt - 1)
    expect(await pendingIds()).toStrictEqual([expiring.id])
    test.clock.advance(1)
    expect(await pendingIds()).toStrictEqual([])
  })

  it('is refused to a session without a device', async () => {
    await initiatePayment(test, user.web.caller)
    await expect(pending(user.web.caller)).rejects.toStrictEqual(new InsufficientTrustLevel())
  })

  it('is empty five minutes later', async () => {
    await initiatePayment(test, user.web.caller)
    test.clock.advance(minutes(5))
    expect(await pending()).toStrictEqual([])
  })
})
