import { toIsoTimestamp } from '@countersign/core'
import { signInNewUser } from '@countersign/core/testing'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { expect, it } from 'vitest'
import { isGenuine, type Pending } from '../../approvals/challenge.ts'
import { ForeignChallenge, loginChallenge, registrationChallenge } from './device-challenge.ts'
import { generateKey } from './device-key.ts'

const given = async () => {
  const test = await createTestCountersign()
  const { caller, tokens } = await signInNewUser(test)
  const key = { ...(await generateKey()), deviceFingerprint: 'browser-1' }
  const announced = { deviceName: 'My browser', deviceType: 'desktop', deviceFingerprint: 'browser-1' } as const
  const registration = await test.countersign.devices.beginRegistration({
    ...announced,
    publicKey: key.publicKey,
    keyAlgorithm: 'ES256',
    caller,
  })
  const login = await test.countersign.mobile.beginLogin({ deviceFingerprint: 'browser-1' })
  const initiated = await test.countersign.confirmations.initiate({
    caller,
    actionType: 'payment_approval',
    actionPayload: { amount: 1250, currency: 'EUR', recipient: 'Ada’s Workshop' },
  })
  const view = await test.countersign.confirmations.status({ caller, confirmationId: initiated.id })
  const { nonce, challenge } = view
  const begun = ({ id: sessionId, challenge, nonce, expiresAt }: typeof login | typeof registration) => ({
    sessionId,
    challenge,
    nonce,
    expiresAt: toIsoTimestamp(expiresAt),
  })
  return {
    key,
    token: tokens.accessToken,
    login: begun(login),
    registration: { ...begun(registration), deviceId: registration.subject.deviceId },
    confirmation: { challenge, nonce },
    pending: {
      confirmationId: view.id,
      actionType: view.actionType,
      actionTypeVersion: view.actionTypeVersion,
      actionPayload: JSON.parse(view.actionPayloadText),
      display: view.display,
      statement: JSON.parse(view.statementText),
      createdAt: toIsoTimestamp(view.createdAt),
      expiresAt: toIsoTimestamp(view.expiresAt),
      challenge,
      nonce,
    } as unknown as Pending,
  }
}

it('the page signs the challenge of its own step', async () => {
  const { key, token, login, registration, pending } = await given()
  expect(await loginChallenge(key, login)).toBe(login.challenge)
  expect(await registrationChallenge(key, registration, token)).toBe(registration.challenge)
  expect(await isGenuine(pending)).toBe(true)
})

it('the page signs no challenge of another step, as a dishonest operator would send it', async () => {
  const { key, token, login, registration, confirmation, pending } = await given()
  for (const foreign of [confirmation, registration, { challenge: confirmation.challenge }]) {
    const { challenge, nonce } = { nonce: undefined, ...foreign }
    await expect(loginChallenge(key, { ...login, challenge, nonce })).rejects.toThrow(ForeignChallenge)
    await expect(loginChallenge(key, { ...login, challenge })).rejects.toThrow(ForeignChallenge)
  }
  for (const foreign of [confirmation, login]) {
    const { challenge, nonce } = foreign
    await expect(registrationChallenge(key, { ...registration, challenge, nonce }, token)).rejects.toThrow(ForeignChallenge)
  }
  for (const { challenge, nonce } of [login, registration]) {
    expect(await isGenuine({ ...pending, challenge, nonce })).toBe(false)
  }
})

it('the page signs no challenge without a nonce, or for another device, key, user, session or end', async () => {
  const { key, token, login, registration } = await given()
  const other = { ...(await generateKey()), deviceFingerprint: key.deviceFingerprint }
  const refused = [
    () => loginChallenge(key, { ...login, nonce: undefined }),
    () => loginChallenge(key, { ...login, nonce: '%' }),
    () => loginChallenge(key, { ...login, nonce: '' }),
    () => loginChallenge(key, { ...login, sessionId: '' }),
    () => loginChallenge(key, { ...login, expiresAt: '2030-01-01T00:00:00.000Z' }),
    () => loginChallenge({ deviceFingerprint: 'browser-2' }, login),
    () => registrationChallenge(key, { ...registration, nonce: undefined }, token),
    () => registrationChallenge(key, { ...registration, deviceId: '' }, token),
    () => registrationChallenge(other, registration, token),
    () => registrationChallenge(key, registration, token.replace(/\..*\./, `.${btoa('{"id":999}')}.`)),
    () => registrationChallenge(key, registration, 'no token'),
  ]
  for (const attempt of refused) await expect(attempt()).rejects.toThrow(ForeignChallenge)
})
