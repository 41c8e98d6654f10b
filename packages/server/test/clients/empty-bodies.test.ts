import { testPassword } from '@countersign/core/testing'
import axios from 'axios'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Listening } from '../../src/adapters/node/listen.ts'
import { createProjectApp, type ProjectApp } from '../../src/testing/project-app.ts'
import { startRealServer } from '../../src/testing/real-server.ts'
import { initiatePayment, registerDevice } from '../../src/testing/sign-in.ts'
import { httpClients, type Meant } from './http-clients.ts'

let test: ProjectApp
let server: Listening
beforeAll(async () => {
  test = await createProjectApp({ options: { rateLimits: 'off', devicesPerUser: 1000, pendingConfirmationsPerUser: 1000 } })
  server = await startRealServer(test)
})
afterAll(() => server.close(0))

const FORM = 'application/x-www-form-urlencoded'

/** Empty bodies with the content types that clients send with them. */
const nothing: readonly Pick<Meant, 'type' | 'body'>[] = [
  {},
  { type: null, body: '' },
  { type: FORM, body: '' },
  { type: 'text/plain;charset=UTF-8', body: '' },
  { type: 'multipart/form-data; boundary=x', body: '' },
  { type: 'application/octet-stream' },
  { type: 'application/json', body: '' },
  { type: 'application/json', body: 'null' },
  { type: null, body: 'null' },
  { type: 'application/json', body: '{}' },
]

/** Operations whose body is optional, each with the path of a request that succeeds. */
const optional: Readonly<Record<string, () => Promise<Pick<Meant, 'method' | 'path'> & { readonly success: number }>>> = {
  'approving a project': async () => {
    const { uniqueCode } = await test.create()
    return { method: 'PUT', path: `/api/v1/projects/${uniqueCode}/approved`, success: 200 }
  },
  'changing nothing of a project': async () => {
    const { uniqueCode } = await test.create()
    return { method: 'PATCH', path: `/api/v1/projects/${uniqueCode}`, success: 200 }
  },
  'deleting a project': async () => {
    const { uniqueCode } = await test.create()
    return { method: 'DELETE', path: `/api/v1/projects/${uniqueCode}`, success: 204 }
  },
  'removing a device': async () => {
    const { device } = await registerDevice(test, test.token)
    return { method: 'DELETE', path: `/api/v1/auth/devices/${device.id}`, success: 200 }
  },
  'rejecting a confirmation': async () => {
    const { confirmationId } = await initiatePayment(test, test.token)
    return { method: 'POST', path: `/api/v1/auth/confirmation/${confirmationId}/reject`, success: 200 }
  },
  'beginning the registration of a passkey': async () => {
    return { method: 'POST', path: '/api/v1/auth/webauthn/register/begin', success: 200 }
  },
  'beginning a login by passkey': async () => ({ method: 'POST', path: '/api/v1/auth/webauthn/login/begin', success: 200 }),
}

describe.each(httpClients)('a request sent by %s:', (_client, send) => {
  it.each(Object.keys(optional))('%s accepts an empty body of any type', async (what) => {
    for (const body of nothing) {
      const { success, ...target } = (await optional[what]?.()) ?? expect.unreachable()
      const answer = await send(server.url, { ...target, ...body, token: test.token })
      expect(answer.status, JSON.stringify({ ...body, answer })).toBe(success)
    }
  })

  const login = () => JSON.stringify({ email: test.user.email, password: testPassword })
  const post = (body: Pick<Meant, 'type' | 'body'>) => send(server.url, { method: 'POST', path: '/api/v1/auth/login', ...body })

  it('a body without a type is read as JSON', async () => {
    expect(await post({ type: null, body: login() })).toMatchObject({ status: 200 })
  })

  it.each([FORM, 'text/plain', 'application/xml'])('a body of the type %s is refused', async (type) => {
    const refusal = { message: 'Request body must be application/json', statusCode: 415, code: 'unsupported_media_type' }
    expect(await post({ type, body: login() })).toEqual({ status: 415, body: refusal })
    const { success: _, ...target } = (await optional['rejecting a confirmation']?.()) ?? expect.unreachable()
    const answer = await send(server.url, { ...target, type, body: '{"reason":"x"}', token: test.token })
    expect(answer).toEqual({ status: 415, body: refusal })
  })

  it('a missing required member is named, and null is not an object', async () => {
    expect(await post({ type: 'application/json', body: '' })).toMatchObject({
      status: 400,
      body: { message: 'email: must be an email address; password: must be text of 1 to 1024 characters' },
    })
    expect(await post({ type: 'application/json', body: 'null' })).toMatchObject({
      status: 400,
      body: { message: 'body: must be a JSON object' },
    })
  })
})

describe('axios in its usual form', () => {
  const headers = () => ({ Authorization: `Bearer ${test.token}` })
  it.each([undefined, null, {}])('sends put and post requests with %j when there is no body', async (data) => {
    const { uniqueCode } = await test.create()
    const { confirmationId } = await initiatePayment(test, test.token)
    const calls = [
      axios.put(`${server.url}/api/v1/projects/${uniqueCode}/approved`, data, { headers: headers() }),
      axios.post(`${server.url}/api/v1/auth/confirmation/${confirmationId}/reject`, data, { headers: headers() }),
      axios.post(`${server.url}/api/v1/auth/webauthn/register/begin`, data, {
        headers: { ...headers(), 'Content-Type': 'application/json' },
      }),
    ]
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200])
  })
})
