import { afterEach, describe, expect, it, vi } from 'vitest'
import { createClient } from '../create-client.ts'

const away = () => Promise.reject(new TypeError('Failed to fetch'))
const failureOf = (baseUrl: string) =>
  createClient({ baseUrl, fetch: away })
    .health.check()
    .catch((error: unknown) => error)

const plain = { code: 'NETWORK_ERROR', message: 'The service could not be reached' }

describe('a service that cannot be reached', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('gives an error that does not mention CORS outside of a browser', async () => {
    expect(await failureOf('https://auth.example.com')).toMatchObject(plain)
  })

  it('gives an error that does not mention CORS on a page of the same origin', async () => {
    vi.stubGlobal('location', { origin: 'https://auth.example.com' })
    expect(await failureOf('https://auth.example.com')).toMatchObject(plain)
    expect(await failureOf('https://auth.example.com/auth')).toMatchObject(plain)
  })

  it('gives an error that does not mention CORS if a request without CORS fails too', async () => {
    vi.stubGlobal('location', { origin: 'https://app.example.com' })
    expect(await failureOf('https://auth.example.com')).toMatchObject(plain)
  })
})

describe('a service that answers only without CORS', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('gives an error that says that the service does not permit the origin of the page', async () => {
    const fetch = (request: Request) => (request.mode === 'no-cors' ? new Response() : away())
    for (const origin of ['https://app.example.com', 'https://auth.example', 'null']) {
      vi.stubGlobal('location', { origin })
      const client = createClient({ baseUrl: 'https://auth.example.com', fetch, retries: 0 })
      await expect(client.health.check()).rejects.toMatchObject({
        code: 'NETWORK_ERROR',
        message: `The service does not permit calls from ${origin} (CORS)`,
      })
    }
  })
})
