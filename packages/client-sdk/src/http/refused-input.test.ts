import { describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { createClient } from '../create-client.ts'
import { memoryTokenStore } from '../session/token-store.ts'
import { CountersignError } from '../shared/errors/countersign-error.ts'
import { createTestClient, logInNewUser } from '../testing/test-client.ts'

const payment = (amount: unknown) =>
  ({ actionType: 'payment_approval', actionPayload: { amount, currency: 'EUR', recipient: 'Ada' } }) as never

const circle: Record<string, unknown> = {}
circle.self = circle

/** Half of an emoji. */
const HALF = '🙂'.slice(0, 1)

const cases: readonly (readonly [string, string, (client: Client) => Promise<unknown>])[] = [
  ['half a character in a query', 'search', ({ projects }) => projects.list({ search: HALF })],
  ['half a character in a path', 'deviceId', ({ devices }) => devices.remove({ deviceId: HALF })],
  ['a folder above in a path', 'deviceId', ({ devices }) => devices.remove({ deviceId: '..' })],
  ['a folder in a path', 'uniqueCode', ({ projects }) => projects.remove({ uniqueCode: '.' })],
  ['nothing in a path', 'uniqueCode', ({ projects }) => projects.get({ uniqueCode: '' })],
  ['nothing at all in a path', 'uniqueCode', ({ projects }) => projects.get({} as { uniqueCode: string })],
  ['another alphabet in a header', 'serviceName', ({ internal }) => internal.introspect({ serviceName: '10 €' })],
  ['two lines in a header', 'serviceName', ({ internal }) => internal.introspect({ serviceName: 'a\nb' })],
  ['two lines in a token', 'token', ({ devices }) => devices.list({}, { token: 'a\nb' })],
  ['another alphabet in a token', 'token', ({ devices }) => devices.list({}, { token: 'ü€' })],
  ['a BigInt in a body', 'actionPayload', ({ confirmations }) => confirmations.request(payment(1n))],
  ['a circle in a body', 'actionPayload', ({ confirmations }) => confirmations.request(payment(circle))],
]

describe('an input that cannot be sent', () => {
  it.each(cases)('is refused with the name of its member, before any request: %s', async (_, field, call) => {
    const given = await createTestClient()
    await logInNewUser(given)
    // A renewal would be the first request.
    given.test.clock.advance(9 * 3_600_000)
    const failure = await call(given.client).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(CountersignError)
    expect(failure).toMatchObject({ code: 'VALIDATION_ERROR', status: undefined, details: { [field]: expect.any(String) } })
    expect(given.sent).toEqual([])
  })

  it('is reported also for a stored token that another program changed', async () => {
    const store = memoryTokenStore()
    const given = await createTestClient({ store })
    await logInNewUser(given)
    const tokens = await store.get()
    if (tokens) await store.set({ ...tokens, accessToken: 'a\nb' })
    await expect(given.client.devices.list()).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { token: 'cannot be sent' },
    })
    expect(given.sent).toEqual([])
  })

  it('is not reported for a token with a line break at its end', async () => {
    const given = await createTestClient()
    const { tokens } = await logInNewUser(given)
    expect(await given.client.devices.list({}, { token: `${tokens.accessToken}\n` })).toEqual({ devices: [] })
  })
})

describe('a base URL', () => {
  it.each([
    'not a url',
    '',
    '/auth',
    'auth.example.com',
    'ftp://auth.example.com',
    'https://user:password@auth.example.com',
    'https://auth.example.com?x=1',
    'https://auth.example.com/?x=1',
    'https://auth.example.com/#here',
    'https://auth. example.com',
    undefined as unknown as string,
  ])('that is not valid is refused when the client is created: %s', (baseUrl) => {
    const takes = 'must be a plain http or https URL'
    expect(() => createClient({ baseUrl })).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', message: `baseUrl: ${takes}`, details: { baseUrl: takes } }),
    )
  })

  it.each([
    [' https://auth.example.com/ ', 'https://auth.example.com/health'],
    ['HTTPS://auth.example.com:8443//', 'https://auth.example.com:8443/health'],
    ['http://[::1]:4000', 'http://[::1]:4000/health'],
    ['https://example.com/auth/v1/', 'https://example.com/auth/v1/health'],
  ])('is accepted with spaces around it, a port and a path: %s', async (baseUrl, url) => {
    const client = createClient({ baseUrl, fetch: (request) => Response.json({ status: request.url }) })
    expect(await client.health.check()).toEqual({ status: url })
  })
})
