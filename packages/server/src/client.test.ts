import { createClient } from '@countersign/client-sdk'
import { confirmationChallenge } from '@countersign/core'
import { anAnnouncement, createTestDevice, createTestUser, createVirtualPasskey, testPassword } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { createTestApp } from './testing/test-app.ts'

/** The typed client against the app, without a socket between them. */
const withClient = () => {
  const test = createTestApp()
  return { test, client: createClient({ baseUrl: 'http://countersign.test', fetch: (request) => test.app.fetch(request) }) }
}

describe('the client of the contract', () => {
  it('goes from a password to a signed approval', async () => {
    const { test, client } = withClient()
    const user = await createTestUser(test)
    const { accessToken: token } = await client.auth.login({ email: user.email, password: testPassword })

    const signer = createTestDevice('ES256')
    const announcement = anAnnouncement(signer)
    const begun = await client.devices.beginRegistration(announcement, { token })
    const registration = { sessionId: begun.sessionId, signedChallenge: signer.sign(begun.challenge) }
    const { device } = await client.devices.finishRegistration(registration, { token })
    const login = await client.mobile.beginLogin({ deviceFingerprint: announcement.deviceFingerprint })
    const { tokens } = await client.mobile.finishLogin({
      sessionId: login.sessionId,
      signedChallenge: signer.sign(login.challenge),
    })

    const actionPayload = { amount: 99.5, currency: 'EUR', recipient: 'ACME' }
    const { confirmationId } = await client.confirmations.initiate({ actionType: 'payment_approval', actionPayload }, { token })
    const { confirmations } = await client.confirmations.pending({}, { token: tokens.accessToken })
    const [waiting] = confirmations
    if (waiting === undefined) throw new Error('nothing waits for the device')
    const { nonce, challenge, ...statement } = waiting
    expect(statement).toMatchObject({ confirmationId, userId: user.id, actionPayload })
    expect(confirmationChallenge(Buffer.from(nonce, 'base64'), statement)).toBe(challenge)

    const approval = { confirmationId, deviceId: device.id, signedChallenge: signer.sign(challenge) }
    expect(await client.confirmations.verify(approval, { token: tokens.accessToken })).toMatchObject({ status: 'approved' })
    expect(await client.confirmations.status({ confirmationId }, { token })).toMatchObject({ status: 'approved', actionPayload })
    await expect(client.confirmations.verify(approval, { token: tokens.accessToken })).rejects.toMatchObject({
      status: 410,
      message: 'Action confirmation token already used',
    })
  })

  it('sends members in headers, paths and queries where the operation has them', async () => {
    const { test, client } = withClient()
    const user = await createTestUser(test)
    const { accessToken: token } = await client.auth.login({ email: user.email, password: testPassword })
    expect(await client.internal.verify({ serviceName: 'billing' }, { token })).toMatchObject({
      valid: true,
      claims: { id: user.id },
    })
    await expect(client.internal.verify({ serviceName: 'billing' }, { token: 'a.b.c' })).rejects.toMatchObject({ status: 401 })
    await expect(client.confirmations.status({ confirmationId: 'ä?#%' }, { token })).rejects.toMatchObject({ status: 404 })
    expect(await client.health.check({})).toMatchObject({ status: 'healthy' })
  })

  it('goes from a password to a login by passkey, and on to its removal', async () => {
    const { test, client } = withClient()
    const user = await createTestUser(test)
    const { accessToken: token } = await client.auth.login({ email: user.email, password: testPassword })
    const passkey = createVirtualPasskey()
    const creating = await client.passkeys.beginRegistration({ userVerification: 'required' }, { token })
    const created = { challengeId: creating.challengeId, credential: passkey.create(creating.publicKey) }
    const { credential } = await client.passkeys.finishRegistration(created, { token })
    const asking = await client.passkeys.beginLogin({})
    const answer = { challengeId: asking.challengeId, credential: passkey.get(asking.publicKey) }
    const tokens = await client.passkeys.finishLogin(answer)
    expect(await client.passkeys.list({}, { token: tokens.accessToken })).toMatchObject({ credentials: [{ id: credential.id }] })
    await client.passkeys.rename({ credentialId: credential.id, name: 'Laptop' }, { token })
    await client.passkeys.remove({ credentialId: credential.id }, { token })
    await expect(client.passkeys.list({}, { token: tokens.accessToken })).rejects.toMatchObject({ status: 401 })
  })

  it('goes from a new project to its deletion', async () => {
    const { test, client } = withClient()
    const user = await createTestUser(test, { permissions: ['project.*'] })
    const { id: customerId } = await test.countersign.customers.create({ name: 'ACME', email: 'office@acme.test' })
    const { accessToken: token } = await client.auth.login({ email: user.email, password: testPassword })
    const given = { name: 'Bridge', customerId, contractValue: 10, currency: 'EUR' }
    const { uniqueCode } = (await client.projects.create(given, { token })).data
    const { data, meta } = await client.projects.list({ search: 'BRIDGE', page: 1 }, { token })
    expect([data.map((project) => project.uniqueCode), meta.total]).toEqual([[uniqueCode], 1])
    const counted = await client.projects.countResources({ uniqueCode, resourceTypes: ['Task', 'Delivery'] }, { token })
    expect(counted.data).toHaveLength(2)
    expect((await client.projects.approve({ uniqueCode }, { token })).data.status).toBe('approved')
    expect((await client.productSchemas.ofType({ type: 'software' }, { token })).data.schemas).toHaveLength(1)
    const products = [{ name: 'OS', productType: 'software', attributes: {} }]
    await expect(client.projects.create({ ...given, products }, { token })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining("validation failed for product 'OS': "),
    })
    expect(await client.projects.remove({ uniqueCode }, { token })).toBeUndefined()
    await expect(client.projects.get({ uniqueCode }, { token })).rejects.toMatchObject({
      status: 404,
      message: 'Project not found',
    })
  })
})
