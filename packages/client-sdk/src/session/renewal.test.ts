import { createTestUser, testPassword } from '@countersign/core/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { hours, minutes, pass, withFakeDate } from '../testing/clocks.ts'
import { broken, createTestClient, type Fault, logInNewUser } from '../testing/test-client.ts'
import { createTestSigner } from '../testing/test-signer.ts'
import { memoryTokenStore } from './token-store.ts'

withFakeDate()

const DEVICES = 'GET /api/v1/auth/devices'
const REFRESH = 'POST /api/v1/auth/refresh'
const MOBILE_REFRESH = 'POST /api/v1/auth/mobile/refresh'

let given: Awaited<ReturnType<typeof createTestClient>>
beforeEach(async () => {
  given = await createTestClient()
})

describe('a session', () => {
  it('presents its token with every call that needs one', async () => {
    const { user } = await logInNewUser(given)
    expect(await given.client.devices.list()).toEqual({ devices: [] })
    expect(await given.client.internal.introspect({ serviceName: 'billing' })).toMatchObject({ claims: { id: user.id } })
  })

  it('is not used by a call with a token of its own', async () => {
    const { user } = await logInNewUser(given)
    const other = await createTestUser(given.test)
    const { accessToken: token } = await given.another().auth.login({ email: other.email, password: testPassword })
    expect(await given.client.internal.introspect({ serviceName: 'billing' }, { token })).toMatchObject({
      claims: { id: other.id },
    })
    expect(await given.client.internal.introspect({ serviceName: 'billing' })).toMatchObject({ claims: { id: user.id } })
    given.sent.length = 0
    await expect(given.client.devices.list({}, { token: 'x' })).rejects.toMatchObject({ status: 401 })
    expect(given.sent).toEqual([DEVICES])
  })

  it('is renewed a minute before its access token ends, before the call is sent', async () => {
    await logInNewUser(given)
    pass(given, hours(8) - minutes(1) - 1)
    await given.client.devices.list()
    expect(given.sent).toEqual([DEVICES])
    pass(given, 1)
    await given.client.devices.list()
    await given.client.devices.list()
    expect(given.sent).toEqual([DEVICES, REFRESH, DEVICES, DEVICES])
  })

  it.each([
    ['hours behind', -hours(30)],
    ['hours ahead', hours(30)],
    ['right', 0],
  ])('is renewed in time, and not too early, if the clock of the machine is %s', async (_, skew) => {
    vi.setSystemTime(given.test.clock.now() + skew)
    await logInNewUser(given)
    pass(given, hours(7))
    await given.client.devices.list()
    expect(given.sent).toEqual([DEVICES])
    pass(given, minutes(59))
    await given.client.devices.list()
    expect(given.sent).toEqual([DEVICES, REFRESH, DEVICES])
  })

  it('is renewed when the service refuses its token, and the call is repeated', async () => {
    await logInNewUser(given)
    // Only the clock of the server moves: the machine slept, or its clock was set back.
    given.test.clock.advance(hours(9))
    expect(await given.client.devices.list()).toEqual({ devices: [] })
    expect(given.sent).toEqual([DEVICES, REFRESH, DEVICES])
  })

  it('is also renewed when the project service refuses its token', async () => {
    await logInNewUser(given)
    given.test.clock.advance(hours(9))
    expect((await given.client.projects.list()).data).toEqual([])
    expect(given.sent).toEqual(['GET /api/v1/projects', REFRESH, 'GET /api/v1/projects'])
  })

  it('also repeats a change, because a request with a refused token has no effect', async () => {
    await logInNewUser(given)
    given.test.clock.advance(hours(9))
    const actionPayload = { userId: 1 }
    const requested = await given.client.confirmations.initiate({ actionType: 'password_change', actionPayload })
    expect(await given.client.confirmations.status(requested)).toMatchObject({ status: 'pending', actionPayload })
  })

  it('of a device is renewed at its own endpoint', async () => {
    await logInNewUser(given)
    const signer = createTestSigner()
    await given.client.devices.register({ signer, deviceName: 'Phone', deviceType: 'mobile' })
    await given.client.mobile.login({ signer })
    given.sent.length = 0
    pass(given, minutes(14))
    expect(await given.client.confirmations.pending()).toEqual({ confirmations: [] })
    given.test.clock.advance(minutes(16))
    expect(await given.client.confirmations.pending()).toEqual({ confirmations: [] })
    expect(given.sent.filter((line) => line.includes('refresh'))).toEqual([MOBILE_REFRESH, MOBILE_REFRESH])
  })

  it('gives its access token to the caller for other services, renewed in time', async () => {
    expect(await given.client.accessToken()).toBeUndefined()
    const { tokens } = await logInNewUser(given)
    expect(await given.client.accessToken()).toBe(tokens.accessToken)
    pass(given, hours(8))
    const renewed = (await given.client.accessToken()) ?? ''
    expect(renewed).not.toBe(tokens.accessToken)
    expect(await given.another().internal.introspect({ serviceName: 'billing' }, { token: renewed })).toMatchObject({
      valid: true,
    })
  })
})

describe('one renewal', () => {
  it.each([
    ['before the end', (given: Awaited<ReturnType<typeof createTestClient>>) => pass(given, hours(8))],
    ['after refusals', (given: Awaited<ReturnType<typeof createTestClient>>) => given.test.clock.advance(hours(9))],
  ])('is enough for any number of simultaneous calls, %s', async (_, age) => {
    await logInNewUser(given)
    for (let round = 0; round < 3; round += 1) {
      age(given)
      given.sent.length = 0
      await Promise.all(Array.from({ length: 20 }, () => given.client.devices.list()))
      expect(given.sent.filter((line) => line === REFRESH)).toHaveLength(1)
    }
  })

  it('is enough for two clients of one store', async () => {
    const store = memoryTokenStore()
    const given = await createTestClient({ store })
    await logInNewUser(given)
    const other = given.another()
    pass(given, hours(8))
    await Promise.all([given.client, other, given.client, other].map((client) => client.devices.list()))
    expect(given.sent.filter((line) => line === REFRESH)).toHaveLength(1)
  })

  it('continues if the call that needed it is aborted', async () => {
    await logInNewUser(given)
    pass(given, hours(8))
    const controller = new AbortController()
    const call = given.client.devices.list({}, { signal: controller.signal }).catch((error: unknown) => error)
    const other = given.client.devices.list()
    controller.abort()
    expect(await call).toMatchObject({ name: 'AbortError' })
    expect(await other).toEqual({ devices: [] })
    expect(given.sent).toEqual([REFRESH, DEVICES])
  })
})

describe('an error that is not about the token', () => {
  it('causes no renewal, so a wrong signature is sent and counted once', async () => {
    await logInNewUser(given)
    const signer = createTestSigner()
    const { deviceId } = await given.client.devices.register({ signer, deviceName: 'Phone', deviceType: 'mobile' })
    await given.client.mobile.login({ signer })
    const { confirmationId } = await given.client.confirmations.initiate({
      actionType: 'password_change',
      actionPayload: { userId: 1 },
    })
    given.sent.length = 0
    const signedChallenge = await createTestSigner().sign('anything', { action: 'login' })
    await expect(given.client.confirmations.sendApproval({ confirmationId, deviceId, signedChallenge })).rejects.toMatchObject({
      status: 401,
    })
    expect(given.sent).toEqual([`POST /api/v1/auth/confirmation/${confirmationId}/verify`])
  })
})

describe('a renewal that fails', () => {
  const away: Fault = () => Response.json({ message: 'Service temporarily unavailable', statusCode: 503 }, { status: 503 })
  const limited: Fault = () => Response.json({ message: 'Rate limit exceeded', statusCode: 429 }, { status: 429 })
  const page: Fault = () => new Response('<html>')
  const refusing =
    (status: number): Fault =>
    () =>
      new Response('<html>', { status, headers: { 'content-type': 'text/html' } })
  const unreadable: Fault = () => Response.json({ message: 'Bad Request', statusCode: 400 }, { status: 400 })
  const gateway: Fault = () => Response.json({ message: 'Unauthorized' }, { status: 401 })
  const emptied: Fault = () => Response.json({ data: {} })
  const halved: Fault = () => Response.json({ data: { accessToken: 'x' } })

  it.each([
    ['a network error', broken, 'NETWORK_ERROR'],
    ['an unavailable service', away, 'UNAVAILABLE'],
    ['a rate limit', limited, 'RATE_LIMITED'],
    ['a captive portal', page, 'UNEXPECTED_ANSWER'],
    ['a proxy that wants a password', refusing(401), 'UNEXPECTED_ANSWER'],
    ['a proxy that refuses the request', refusing(400), 'UNEXPECTED_ANSWER'],
    ['a proxy that forbids the request', refusing(403), 'UNEXPECTED_ANSWER'],
    ['a gateway with an account of its own', gateway, 'UNEXPECTED_ANSWER'],
    ['a request that was damaged on its way', unreadable, 'VALIDATION_ERROR'],
    ['another server that returns no tokens', emptied, 'UNEXPECTED_ANSWER'],
    ['another server that returns half a pair', halved, 'UNEXPECTED_ANSWER'],
  ])('for %s does not sign out', async (_, fault, code) => {
    const given = await createTestClient({ retries: 0 })
    const reasons: string[] = []
    await logInNewUser(given)
    given.client.on('signedOut', ({ reason }) => reasons.push(reason))
    given.test.clock.advance(hours(9))
    given.faults.push((request) => given.test.app.fetch(request), fault)
    await expect(given.client.devices.list()).rejects.toMatchObject({ code })
    expect(await given.client.devices.list()).toEqual({ devices: [] })
    expect(reasons).toEqual([])
  })

  it('does not fail the call while the access token is valid', async () => {
    await logInNewUser(given)
    pass(given, hours(8) - minutes(1))
    given.faults.push(broken)
    expect(await given.client.devices.list()).toEqual({ devices: [] })
    expect(given.sent).toEqual([REFRESH, DEVICES])
  })

  it('is not repeated if the service refuses the new tokens too', async () => {
    await logInNewUser(given)
    const refusing: Fault = () => Response.json({ message: 'Invalid or expired token', statusCode: 401 }, { status: 401 })
    given.faults.push(refusing, (request) => given.test.app.fetch(request), refusing, refusing, refusing)
    await expect(given.client.devices.list()).rejects.toMatchObject({ status: 401 })
    expect(given.sent).toEqual([DEVICES, REFRESH, DEVICES])
  })
})
