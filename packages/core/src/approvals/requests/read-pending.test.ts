import type { Statement } from '@countersign/contract'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { InsufficientTrustLevel } from '../../identity/authentication/caller.ts'
import { minutes, seconds, toIsoTimestamp } from '../../shared/clock.ts'
import { commitTo } from '../../shared/crypto/challenge-commitment.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { type DeviceUser, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { statementDomain, statementText as textOf } from '../records/statement.ts'

let test: TestCountersign
let user: DeviceUser
beforeEach(async () => {
  test = await createTestCountersign()
  user = await signInNewDeviceUser(test)
})

const challengeOf = (nonce: string, statement: Statement) =>
  commitTo(statementDomain(statement), Buffer.from(nonce, 'base64'), textOf(statement))

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

  it('contains everything that a device needs to compute a challenge and sign it', async () => {
    const { id } = await initiatePayment(test, user.web.caller, { recipient: 'Zoë', description: '€ 5' })
    const [waiting] = await pending()
    if (waiting === undefined) throw new Error('no confirmation is pending')
    const statement = JSON.parse(waiting.statementText) as Statement
    expect(challengeOf(waiting.nonce, statement)).toBe(waiting.challenge)
    expect(statement).toStrictEqual({
      iss: 'https://auth.example.com',
      confirmationId: id,
      createdAt: toIsoTimestamp(waiting.createdAt),
      expiresAt: toIsoTimestamp(waiting.expiresAt),
      tenant: null,
      subject: { id: user.user.id, externalId: null },
      requester: { kind: 'user', id: user.user.id, externalId: null, name: user.user.email },
      onBehalfOf: null,
      context: null,
      operation: null,
      actionType: 'payment_approval',
      actionTypeVersion: null,
      actionPayload: JSON.parse(waiting.actionPayloadText),
      display: waiting.display,
    })
    await test.countersign.confirmations.approve({
      caller: user.mobile.caller,
      confirmationId: id,
      deviceId: user.device.id,
      signedChallenge: user.signer.sign(waiting.challenge),
    })
    expect(await pendingIds()).toStrictEqual([])
  })

  it('contains challenges that change with every member of the statement', async () => {
    await initiatePayment(test, user.web.caller)
    const [{ statementText, nonce, challenge } = expect.fail('no confirmation is pending')] = await pending()
    const statement = JSON.parse(statementText) as Statement
    const others = Object.keys(statement).map((name) => ({ ...statement, [name]: 'another' }))
    const otherChallenges = others.map((other) => challengeOf(nonce, other))
    expect(new Set([challenge, ...otherChallenges]).size).toBe(others.length + 1)
    expect(challengeOf(Buffer.alloc(64).toString('base64'), statement)).not.toBe(challenge)
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

  it('is empty after five minutes', async () => {
    await initiatePayment(test, user.web.caller)
    test.clock.advance(minutes(5))
    expect(await pending()).toStrictEqual([])
  })
})
