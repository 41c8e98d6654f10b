import { createTestDevice, testPassword } from '@countersign/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Listening } from '../../src/adapters/node/listen.ts'
import { createProjectApp, type ProjectApp } from '../../src/testing/project-app.ts'
import { startRealServer } from '../../src/testing/real-server.ts'
import { initiatePayment, type RegisteredDevice, registerDevice, signDeviceLogin } from '../../src/testing/sign-in.ts'
import { httpClients } from './http-clients.ts'

let test: ProjectApp
let server: Listening
let phone: RegisteredDevice
beforeAll(async () => {
  test = await createProjectApp({ options: { rateLimits: 'off' } })
  server = await startRealServer(test)
  phone = await registerDevice(test, test.token, { signer: createTestDevice('ES256') })
})
afterAll(() => server.close(0))

describe.each(httpClients)('a request sent by %s:', (_client, send) => {
  const call = (method: string, path: string, body: unknown) =>
    send(server.url, { method, path: `/api/v1${path}`, token: test.token, type: 'application/json', body: JSON.stringify(body) })
  const pushTokenOf = async () => (await test.storage.devices.ofUser(test.user.id, phone.device.id))?.pushToken

  it('null for rememberMe means that it is absent', async () => {
    const { email } = test.user
    expect(await call('POST', '/auth/login', { email, password: testPassword, rememberMe: null })).toMatchObject({ status: 200 })
    const login = { ...(await signDeviceLogin(test, phone)), rememberMe: null }
    expect(await call('POST', '/auth/mobile/biometric', login)).toMatchObject({ status: 200 })
  })

  it('null for a reason means that there is none', async () => {
    const { confirmationId } = await initiatePayment(test, test.token)
    expect(await call('POST', `/auth/confirmation/${confirmationId}/reject`, { reason: null })).toMatchObject({ status: 200 })
  })

  it('null for the passkey options means the defaults', async () => {
    const path = '/auth/webauthn/register/begin'
    const usual = await call('POST', path, {})
    const optionsOf = ({ body }: typeof usual) =>
      (body as { data: { publicKey: { authenticatorSelection: unknown } } }).data.publicKey.authenticatorSelection
    for (const options of [
      { userVerification: null, authenticatorSelection: null },
      {
        authenticatorSelection: {
          residentKey: null,
          requireResidentKey: null,
          userVerification: null,
          authenticatorAttachment: null,
        },
      },
    ]) {
      const answer = await call('POST', path, options)
      expect(answer.status).toBe(200)
      expect(optionsOf(answer)).toEqual(optionsOf(usual))
    }
    expect(await call('POST', '/auth/webauthn/login/begin', { email: null, userVerification: null })).toMatchObject({
      status: 200,
    })
  })

  it('null for a push token removes it', async () => {
    const { id: deviceId } = phone.device
    expect(await call('PUT', '/auth/devices/push-token', { deviceId, pushToken: 'a token' })).toMatchObject({ status: 200 })
    expect(await pushTokenOf()).not.toBeNull()
    expect(await call('PUT', '/auth/devices/push-token', { deviceId, pushToken: null })).toEqual({
      status: 200,
      body: { data: { success: true, message: 'Push token removed' } },
    })
    expect(await pushTokenOf()).toBeNull()
    expect(await call('PUT', '/auth/devices/push-token', { deviceId })).toMatchObject({ status: 400 })
  })

  it('null for optional members of a project means that they are absent', async () => {
    const attributes = { name: 'Planner', version: '1.2.3', licenseType: 'perpetual' }
    const product = { name: 'Planner', productType: 'software', description: null, attributes }
    const body = {
      ...test.body(),
      ...{ description: null, replyDate: null, documentFileIds: null, participantIds: null, products: [product] },
    }
    const answer = await call('POST', '/projects', body)
    expect(answer).toMatchObject({
      status: 201,
      body: { data: { description: '', replyDate: null, participants: [], products: [{ description: '' }] } },
    })
  })

  it('null for members of a change leaves them unchanged, and clears the description', async () => {
    const { uniqueCode } = await test.create({ description: 'Over the river' })
    const nulls = { name: null, contractValue: null, status: null, progress: null }
    expect(await call('PATCH', `/projects/${uniqueCode}`, nulls)).toMatchObject({
      status: 200,
      body: { data: { name: 'Bridge', contractValue: 1000, status: 'pending', description: 'Over the river' } },
    })
    expect(await call('PATCH', `/projects/${uniqueCode}`, { description: null })).toMatchObject({
      status: 200,
      body: { data: { name: 'Bridge', description: '' } },
    })
  })

  it('null for a required member is refused', async () => {
    expect(await call('POST', '/auth/login', { email: null, password: testPassword })).toMatchObject({
      status: 400,
      body: { message: 'email: must be an email address' },
    })
  })
})
