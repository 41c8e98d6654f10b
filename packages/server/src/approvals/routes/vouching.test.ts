import { describe, expect, it } from 'vitest'
import { createPasskey } from '../../testing/passkeys.ts'
import { deviceLogin, registerDevice, signIn, signInWithDevice } from '../../testing/sign-in.ts'
import { createTestApp } from '../../testing/test-app.ts'

const headers = { 'Countersign-Extended': '1' }

/** Prepares a user with a trusted phone, and a web session that is no longer fresh. */
const given = async () => {
  const test = await createTestApp()
  const { user, token, device, signer } = await signInWithDevice(test)
  test.clock.advance(11 * 60_000)
  const phone = { device, signer }
  const { accessToken: phoneToken } = await deviceLogin(test, phone)
  const approve = async (confirmationId: string, matchNumber: string) => {
    const { confirmations } = await test.ask('confirmations.pending', {}, { token: phoneToken, headers })
    const waiting = confirmations.find((one) => one.confirmationId === confirmationId)
    const signedChallenge = signer.sign(waiting?.challenge ?? '')
    const approval = { confirmationId, deviceId: device.id, signedChallenge, matchNumber }
    return test.call('confirmations.verify', approval, { token: phoneToken })
  }
  return { test, user, token, phone, phoneToken, approve }
}

const registerOnProbation = async ({ test, token }: Awaited<ReturnType<typeof given>>) => {
  const added = await registerDevice(test, token, { headers })
  return { added, confirmationId: added.answer.confirmationId ?? '', matchNumber: added.answer.matchNumber ?? '' }
}

describe('the registration of a device on probation', () => {
  it('returns the vouching in extended answers only', async () => {
    const here = await given()
    const { added, confirmationId, matchNumber } = await registerOnProbation(here)
    expect(added.device.trusted).toBe(false)
    expect([confirmationId, matchNumber]).toEqual([expect.stringMatching(/^conf_/), expect.stringMatching(/^\d\d$/)])
    const plain = await registerDevice(here.test, here.token)
    expect(Object.keys(plain.answer).sort()).toEqual(['device', 'deviceId', 'success'])
  })

  it('names the address of the registering client to the trusted device', async () => {
    const here = await given()
    const { confirmationId } = await registerOnProbation(here)
    const { confirmations } = await here.test.ask('confirmations.pending', {}, { token: here.phoneToken, headers })
    const waiting = confirmations.find((one) => one.confirmationId === confirmationId)
    expect(waiting).toMatchObject({
      actionType: 'device_register',
      actionPayload: { requestedFrom: { address: '203.0.113.1' } },
    })
  })
})

describe('POST /api/v1/auth/devices/{deviceId}/vouch', () => {
  it('starts the vouching again for a trusted device, and the approval makes the new device trusted', async () => {
    const here = await given()
    const { added } = await registerOnProbation(here)
    const { test, phoneToken, approve } = here
    const again = await test.ask('devices.vouch', { deviceId: added.device.id }, { token: phoneToken })
    const expiresAt = new Date(test.clock.now() + 5 * 60_000).toISOString()
    expect(again).toEqual({ confirmationId: expect.any(String), matchNumber: null, expiresAt })
    const { matchNumber } = await test.ask('devices.vouching', { deviceId: added.device.id }, { token: here.token })
    expect((await approve(again.confirmationId, matchNumber ?? '')).status).toBe(200)
    const { devices } = await test.ask('devices.list', {}, { token: phoneToken, headers })
    expect(devices.map(({ trusted }) => trusted)).toEqual([true, true])
    const trusted = await test.call('devices.vouch', { deviceId: added.device.id }, { token: phoneToken })
    expect([trusted.status, trusted.body]).toMatchObject([409, { code: 'device_already_trusted' }])
  })
})

describe('POST /api/v1/auth/webauthn/credentials/{credentialId}/vouch', () => {
  it('starts the vouching again for a trusted device, which sees the name that the registration chose', async () => {
    const { test, user, token, phoneToken, approve } = await given()
    const registration = { ...(await createPasskey(test, token)), name: 'Work laptop' }
    const registered = await test.ask('passkeys.finishRegistration', registration, { token, headers })
    const credentialId = registered.credential.id
    expect([registered.credential.name, registered.credential.trusted]).toEqual(['Work laptop', false])
    const { token: foreign } = await signIn(test, user)
    const refused = await test.call('passkeys.vouch', { credentialId }, { token: foreign })
    expect([refused.status, refused.body]).toMatchObject([403, { code: 'insufficient_trust_level' }])
    const again = await test.ask('passkeys.vouch', { credentialId }, { token: phoneToken })
    expect(again.confirmationId).not.toBe(registered.confirmationId)
    const { confirmations } = await test.ask('confirmations.pending', {}, { token: phoneToken })
    expect(confirmations).toMatchObject([{ confirmationId: again.confirmationId, actionPayload: { deviceName: 'Work laptop' } }])
    const { matchNumber } = await test.ask('passkeys.vouching', { credentialId }, { token })
    expect([again.matchNumber, matchNumber]).toEqual([null, expect.any(String)])
    expect((await approve(again.confirmationId, matchNumber ?? '')).status).toBe(200)
    const trusted = await test.call('passkeys.vouch', { credentialId }, { token: phoneToken })
    expect([trusted.status, trusted.body]).toMatchObject([409, { code: 'passkey_already_trusted' }])
  })
})
