import { constants, createPublicKey, generateKeyPairSync, sign as signWithKey } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Listening } from '../../src/adapters/node/listen.ts'
import { claimsOf } from '../../src/testing/claims-of.ts'
import { createProjectApp, type ProjectApp } from '../../src/testing/project-app.ts'
import { startRealServer } from '../../src/testing/real-server.ts'
import { aPayment, deviceLogin, initiatePayment, signIn, signInWithDevice, type Tokens } from '../../src/testing/sign-in.ts'
import { type Answer, httpClients, type Meant } from './http-clients.ts'

const AUTH = '/api/v1/auth'
const noSuchId = '00000000-0000-4000-8000-000000000000'

let test: ProjectApp
let server: Listening
let limited: ProjectApp
let limitedServer: Listening
beforeAll(async () => {
  test = await createProjectApp({ options: { rateLimits: 'off', devicesPerUser: 1000, pendingConfirmationsPerUser: 1000 } })
  limited = await createProjectApp()
  ;[server, limitedServer] = await Promise.all([startRealServer(test), startRealServer(limited, { trustProxy: 1 })])
})
afterAll(() => Promise.all([server.close(0), limitedServer.close(0)]))

const json = (value: unknown): Pick<Meant, 'type' | 'body'> => ({ type: 'application/json', body: JSON.stringify(value) })
const dataOf = <T>({ body }: Answer): T => (body as { readonly data: T }).data

describe.each(httpClients)('a request sent by %s:', (client, send) => {
  const post = (path: string, value: unknown, given: Partial<Meant> = {}) =>
    send(server.url, { method: 'POST', path: `${AUTH}${path}`, ...json(value), ...given })
  const initiate = (actionType: string, actionPayload: unknown) =>
    post('/confirmation/initiate', { actionType, actionPayload }, { token: test.token })

  it('a burst of 50 confirmations is accepted, and the next one is refused with 429', async () => {
    const { token } = await signIn(limited)
    const one = () =>
      send(limitedServer.url, {
        method: 'POST',
        path: `${AUTH}/confirmation/initiate`,
        ...json({ actionType: 'payment_approval', actionPayload: aPayment }),
        token,
      })
    for (let count = 0; count < 50; count += 1) expect((await one()).status).toBe(200)
    expect(await one()).toMatchObject({ status: 429, body: { message: 'Rate limit exceeded', statusCode: 429 } })
  })

  it('the status can be polled every two seconds for five minutes', async () => {
    const { token } = await signIn(limited)
    const { confirmationId } = await initiatePayment(limited, token)
    for (let seconds = 0; seconds < 300; seconds += 2) {
      const path = `${AUTH}/confirmation/${confirmationId}/status`
      expect(await send(limitedServer.url, { method: 'GET', path, token })).toMatchObject({ status: 200 })
      limited.clock.advance(2000)
    }
  })

  it('a burst of 20 wrong logins gets 401 each, and the next one 429', async () => {
    const headers = { 'X-Forwarded-For': `192.0.2.${1 + httpClients.findIndex(([name]) => name === client)}` }
    const wrong = { email: limited.user.email, password: 'not the password' }
    const one = () => send(limitedServer.url, { method: 'POST', path: `${AUTH}/login`, ...json(wrong), headers })
    for (let count = 0; count < 20; count += 1) {
      expect(await one()).toMatchObject({ status: 401, body: { message: 'Invalid email or password' } })
    }
    expect((await one()).status).toBe(429)
  })

  it.each(['Billing', 'PROJECT_SERVICE', 'Project Service', 'a.b/c-d_e'])('a service may name itself %s', async (name) => {
    const headers = { 'X-Service-Name': name }
    const answer = await send(server.url, { method: 'GET', path: '/internal/verify', token: test.token, headers })
    expect(answer).toMatchObject({ status: 200, body: { valid: true } })
  })

  it.each(['Completed', 'on hold', 'erledigt ✓'])('a project may have the status "%s" and is found by it', async (status) => {
    const { uniqueCode } = await test.create()
    const path = `/api/v1/projects/${uniqueCode}`
    expect((await send(server.url, { method: 'PATCH', path, ...json({ status }), token: test.token })).status).toBe(200)
    const listed = await send(server.url, {
      method: 'GET',
      path: `/api/v1/projects?limit=100&status=${encodeURIComponent(status)}`,
      token: test.token,
    })
    expect(dataOf<{ uniqueCode: string }[]>(listed).map((project) => project.uniqueCode)).toContain(uniqueCode)
  })

  it.each([
    ['payment_approval', { amount: '1250.50', currency: 'EUR', recipient: { name: 'Ada', iban: 'DE00' } }],
    ['document_approval', { documentId: 7, documentName: 'Contract' }],
    ['purchase_order', { amount: 0, supplier: { id: 7 }, items: [{ sku: 1 }] }],
    ['user_access', { userId: '7', permissions: 'project.read' }],
    ['user_access', { userId: 7, permissions: ['project.read'] }],
    ['settings_change', { settingKey: 'limit', oldValue: null, newValue: '' }],
  ])('an action of the type %s accepts %j', async (actionType, actionPayload) => {
    const initiated = await initiate(actionType, actionPayload)
    expect(initiated.status).toBe(200)
    const { confirmationId } = dataOf<{ confirmationId: string }>(initiated)
    const path = `${AUTH}/confirmation/${confirmationId}/status`
    const status = await send(server.url, { method: 'GET', path, token: test.token })
    expect(dataOf<{ actionPayload: unknown }>(status).actionPayload).toEqual(actionPayload)
  })

  it.each([
    ['payment_approval', { amount: -1, currency: 'EUR', recipient: 'Ada' }],
    ['payment_approval', { amount: 1, currency: 'EUR', recipient: null }],
    ['payment_approval', { amount: 1, currency: '', recipient: 'Ada' }],
    ['purchase_order', { amount: 1, supplier: 'Ada', items: [] }],
  ])('an action of the type %s refuses %j', async (actionType, actionPayload) => {
    expect((await initiate(actionType, actionPayload)).status).toBe(400)
  })

  it('a device may register with a PKCS#1 key and sign with the longest PSS salt', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const announced = await post(
      '/devices/register/challenge',
      {
        deviceName: 'My phone',
        deviceType: 'mobile',
        deviceFingerprint: `phone of ${client}`,
        publicKey: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })).export({ type: 'pkcs1', format: 'pem' }),
        keyAlgorithm: 'PS256',
      },
      { token: test.token },
    )
    const { sessionId, challenge } = dataOf<{ sessionId: string; challenge: string }>(announced)
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_MAX_SIGN }
    const signature = signWithKey('sha256', Buffer.from(challenge), { key: privateKey, ...padding })
    const verify = { sessionId, signedChallenge: signature.toString('base64') }
    expect((await post('/devices/register/verify', verify, { token: test.token })).status).toBe(200)
  })

  it('the session of a device login has the id of its challenge', async () => {
    const { device, signer } = await signInWithDevice(test)
    const begun = await post('/mobile/challenge', { deviceFingerprint: device.deviceFingerprint })
    const { sessionId, challenge } = dataOf<{ sessionId: string; challenge: string }>(begun)
    const finished = await post('/mobile/biometric', { sessionId, signedChallenge: signer.sign(challenge), rememberMe: false })
    const { tokens } = dataOf<{ tokens: Tokens }>(finished)
    expect(claimsOf(tokens.accessToken)).toMatchObject({ session_id: sessionId })
  })

  it('malformed signatures get 400, wrong ones 401, unknown registrations 404 and used ones 410', async () => {
    const registered = await signInWithDevice(test)
    const { token } = registered
    const { confirmationId } = await initiatePayment(test, token)
    const deviceToken = (await deviceLogin(test, registered)).accessToken
    const approve = (signedChallenge: string) =>
      post(`/confirmation/${confirmationId}/verify`, { deviceId: registered.device.id, signedChallenge }, { token: deviceToken })
    expect((await approve('not base64!')).status).toBe(400)
    expect((await approve(registered.signer.sign('another challenge'))).status).toBe(401)

    const verify = (sessionId: string) =>
      post('/devices/register/verify', { sessionId, signedChallenge: registered.signer.sign('x') }, { token })
    expect((await verify(noSuchId)).status).toBe(404)
    const announced = await post(
      '/devices/register/challenge',
      {
        deviceName: 'Tablet',
        deviceType: 'tablet',
        deviceFingerprint: 'tablet',
        publicKey: registered.signer.publicKey,
        keyAlgorithm: 'ES256',
      },
      { token },
    )
    const { sessionId } = dataOf<{ sessionId: string }>(announced)
    expect((await verify(sessionId)).status).toBe(401)
    expect((await verify(sessionId)).status).toBe(410)
  })

  it('the answer of GET is accepted as a project change, but another currency or customer is refused', async () => {
    const { uniqueCode } = await test.create({ documentFileIds: ['file-1'] })
    const path = `/api/v1/projects/${uniqueCode}`
    const headers = { 'Countersign-Extended': '1' }
    const plain = dataOf<Record<string, unknown>>(await send(server.url, { method: 'GET', path, token: test.token }))
    expect(plain).not.toHaveProperty('documentFileIds')
    const shown = dataOf<Record<string, unknown>>(await send(server.url, { method: 'GET', path, token: test.token, headers }))
    expect(shown).toMatchObject({ documentFileIds: ['file-1'] })
    const patch = (value: unknown) => send(server.url, { method: 'PATCH', path, ...json(value), token: test.token })
    expect((await patch(shown)).status).toBe(200)
    const { error } = (await patch({ currency: 'USD', customerId: 'another' })).body as { error: { details: object } }
    expect(Object.keys(error.details).sort()).toEqual(['currency', 'customerId'])
  })
})
