import { describe, expect, it } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'
import { createCors } from './cors.ts'

const APP = 'https://app.example.com'
const ask = (headers: Record<string, string>) => new Headers(headers)
const cors = createCors([APP, 'http://localhost:5173'])

describe('a cross-origin response', () => {
  it.each([APP, 'http://localhost:5173'])('names the origin when it is listed: %s', (origin) => {
    expect(cors?.answerHeaders(ask({ origin }))).toEqual({
      Vary: 'Origin',
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': 'Retry-After, RateLimit, RateLimit-Policy, X-Request-Id',
    })
  })

  it.each([
    ...['null', '', '*', 'https://app.example.com/', 'HTTPS://APP.EXAMPLE.COM', 'https://App.example.com'],
    ...[
      'http://app.example.com',
      'https://app.example.com:443',
      'https://app.example.com:8443',
      'https://app.example.com.evil.test',
    ],
    ...['https://evil-app.example.com', 'https://appxexample.com', 'https://example.com', 'https://a.app.example.com'],
    ...['https://app.example.com.', 'https://app.example.com, https://evil.test', 'http://localhost', 'http://localhost:51730'],
    ...['https://app.example.com@evil.test', 'https://app.example.com%60.evil.test', 'file://', 'constructor', '__proto__'],
  ])('has no CORS headers for another origin: %s', (origin) => {
    expect(cors?.answerHeaders(ask({ origin }))).toEqual({ Vary: 'Origin' })
    expect(cors?.preflightHeaders(ask({ origin, 'access-control-request-method': 'GET' }))).toBeUndefined()
  })

  it('has no CORS headers without an Origin header', () => expect(cors?.answerHeaders(ask({}))).toEqual({ Vary: 'Origin' }))
})

describe('a preflight', () => {
  const preflight = (requestedHeaders: string) =>
    cors?.preflightHeaders(
      ask({ origin: APP, 'access-control-request-method': 'PUT', 'access-control-request-headers': requestedHeaders }),
    )

  it('returns the methods, the requested headers and the cache time', () => {
    expect(preflight('authorization,content-type, x-request-id')).toEqual({
      'Access-Control-Allow-Origin': APP,
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Headers': 'authorization,content-type, x-request-id',
      'Access-Control-Max-Age': '7200',
      Vary: 'Origin, Access-Control-Request-Headers',
    })
  })

  it.each(['', ',', 'a b', 'a\tb', '<x>', 'é'])('does not repeat a malformed list of header names: %j', (requestedHeaders) => {
    expect(preflight(requestedHeaders)).not.toHaveProperty('Access-Control-Allow-Headers')
  })

  it('is recognised only when a method is requested', () => {
    expect(cors?.preflightHeaders(ask({ origin: APP }))).toBeUndefined()
  })
})

describe('the origins of an app', () => {
  it('are empty by default, and then no CORS rule exists', () => expect(createCors([])).toBeUndefined())

  it.each(['*', 'null', 'https://app.example.com/', 'https://*.example.com', 'app.example.com', 'ftp://x', 'https://x:443', ''])(
    'must be web origins: %j',
    async (origin) => {
      await expect(createTestApp({ app: { corsOrigins: [APP, origin] } })).rejects.toThrow(
        new RangeError('corsOrigins must be web origins such as https://app.example.com'),
      )
    },
  )
})
