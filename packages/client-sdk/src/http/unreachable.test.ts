import { afterEach, describe, expect, it, vi } from 'vitest'
import { createClient } from '../create-client.ts'

const away = () => Promise.reject(new TypeError('Failed to fetch'))
const failureOf = (baseUrl: string) =>
  createClient({ baseUrl, fetch: away })
    .health.check()
    .catch((error: unknown) => error)

const plain = { code: 'NETWORK_ERROR', message: 'The service could not be reached' }
const hint = {
  code: 'NETWORK_ERROR',
  message: 'The service could not be reached from this origin (CORS?)',
}

describe('a service that cannot be reached', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('is not explained by origins outside a browser', async () => {
    expect(await failureOf('https://auth.example.com')).toMatchObject(plain)
  })

  it('is not explained by origins on a page of the same origin', async () => {
    vi.stubGlobal('location', { origin: 'https://auth.example.com' })
    expect(await failureOf('https://auth.example.com')).toMatchObject(plain)
    expect(await failureOf('https://auth.example.com/auth')).toMatchObject(plain)
  })

  it('may be a service that does not allow the page’s origin', async () => {
    for (const origin of ['https://app.example.com', 'https://auth.example.com:8443', 'null']) {
      vi.stubGlobal('location', { origin })
      expect(await failureOf('https://auth.example.com')).toMatchObject(hint)
    }
  })
})
