import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Listening } from '../src/adapters/node/listen.ts'
import { adapters } from '../src/testing/adapters.ts'
import { openConnection } from '../src/testing/raw-connection.ts'

let listening: Listening

/** Returns the status and body of the response to an unchanged target. */
const answerTo = async (method: string, target: string, headers = 'Host: x\r\n') => {
  const connection = await openConnection(listening.url)
  connection.write(`${method} ${target} HTTP/1.1\r\n${headers}Content-Length: 0\r\nConnection: close\r\n\r\n`)
  const received = await connection.closed()
  return [Number(received.slice(9, 12)), JSON.parse(received.slice(received.indexOf('\r\n\r\n')))]
}

const notFound = { code: 'NOT_FOUND', message: 'Not found', details: {}, statusCode: 404 }
const unreadable = { code: 'VALIDATION_ERROR', message: 'Bad Request', details: {}, statusCode: 400 }

describe.each(Object.entries(adapters))('through the adapter %s,', (_, start) => {
  beforeAll(async () => {
    listening = await start(await createTestCountersign())
  })
  afterAll(() => listening.close(1000))

  describe('a path that differs from its normalised URL', () => {
    it.each([
      ['GET', '/api/v1/projects/./x'],
      ['GET', '/api/v1/projects/..'],
      ['GET', '/api/v1/projects/%2e%2e'],
      ['GET', '/api/v1/projects/x/.%2E/y?page=1'],
      ['PUT', '/api/v1/projects/zzz/%2e%2e/PRJ-2026-000001/approved'],
      ['DELETE', '/api/v1/projects/../projects/PRJ-2026-000001'],
      ['GET', '/api/v1/product-schemas/./software'],
    ])('is not found, in the format of the project service: %s %s', async (method, target) => {
      expect(await answerTo(method, target)).toEqual([404, { error: notFound }])
    })

    it.each(['/api/v1/projects\\x', '/api/v1/projects/\\', '/api/v1/projects/x\\..\\y', '/api/v1/product-schemas\\..'])(
      'is refused in the format of the project service when it contains a backslash: %s',
      async (target) => {
        expect(await answerTo('GET', target)).toEqual([400, { error: unreadable }])
      },
    )

    it('is answered in the format of the authentication service elsewhere', async () => {
      for (const target of ['/api/v1/auth/./login', '/api/v1/auth/../projects', '/./api/v1/projects', '/api/v1/projectsque/..']) {
        expect(await answerTo('GET', target)).toEqual([404, { message: 'Not found', statusCode: 404, code: 'route_not_found' }])
      }
      for (const target of ['/api/v1/auth\\login', '/api\\v1\\projects', '/\\']) {
        expect(await answerTo('GET', target)).toEqual([
          400,
          { message: 'Bad Request', statusCode: 400, code: 'malformed_request', details: {} },
        ])
      }
    })
  })

  describe('a request target in absolute form', () => {
    const authorities = ['http://localhost', 'http://x', 'HTTP://x', 'https://x:4000', 'http://user@x', 'http://[::1]:80']

    it.each(authorities)('gets the answer of its path: %s', async (authority) => {
      const isRead = /^https?:/.test(authority)
      expect(await answerTo('GET', `${authority}/health`)).toMatchObject(isRead ? [200, { status: 'healthy' }] : [400, {}])
      expect(await answerTo('GET', `${authority}/api/v1/projects`)).toMatchObject([isRead ? 401 : 400, {}])
    })

    it.each(authorities)('is answered for exactly the written path: %s', async (authority) => {
      for (const path of [
        ...[
          '/x/../health',
          '/./health',
          '/health/.',
          '/x/%2e%2e/health',
          '/x/.%2E/health',
          '/%2e/health',
          '//health',
          '/health//',
        ],
        ...['/x/..//health', '/../health', '/health#', '/health#/../x', '?/health', '#/health', '?/../health', '', '/%68ealth'],
        ...['/x\\..\\health', '\\health', '/x/..\\health', '/health\\'],
        ...['/x/../internal/verify', '/x/%2e%2e/internal/verify', '/internal/./verify', '/internal/%2e%2e/internal/verify'],
      ]) {
        const [status] = await answerTo('GET', `${authority}${path}`)
        expect([path, status]).toEqual([path, /[\\]|^#/.test(path) || authority.startsWith('HTTP') ? 400 : 404])
      }
    })

    it('is answered in the format of the service whose prefix is written', async () => {
      expect(await answerTo('GET', 'http://x/api/v1/projects/../auth/devices')).toEqual([404, { error: notFound }])
      expect(await answerTo('GET', 'http://x/api/v1/auth/../projects')).toEqual([
        404,
        { message: 'Not found', statusCode: 404, code: 'route_not_found' },
      ])
    })
  })

  describe('a request target in any other form', () => {
    it.each([
      ['GET', '//health', 404],
      ['GET', '//internal/verify', 404],
      ['GET', '//x/../health', 404],
      ['GET', '/health#', 404],
      ['GET', '/health#/../x', 404],
      ['GET', '/x#/../health', 404],
      ['GET', '/%68ealth', 404],
      ['OPTIONS', '*', 400],
      ['GET', '*', 400],
      ['GET', 'localhost:80', 400],
      ['GET', 'health', 400],
      ['GET', 'ftp://x/health', 400],
      ['GET', 'http:/health', 400],
      ['GET', 'http:health', 400],
      ['GET', 'http:///health', 404],
      ['GET', 'http:\\\\x\\health', 400],
    ])('matches no operation: %s %s', async (method, target, status) => {
      expect((await answerTo(method, target))[0]).toBe(status)
      expect((await answerTo(method, target, 'Host: LOCALHOST\r\n'))[0]).toBe(status)
    })

    it('does not open a tunnel', async () => {
      const connection = await openConnection(listening.url)
      connection.write('CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n')
      expect(await connection.closed()).not.toContain('200')
    })
  })

  describe('HTTP/1.0 without a Host header', () => {
    const ask = async (version: string, target: string, headers = '') => {
      const connection = await openConnection(listening.url)
      connection.write(`GET ${target} HTTP/${version}\r\n${headers}Connection: close\r\n\r\n`)
      return Number((await connection.closed()).slice(9, 12))
    }

    it('is answered, because old load balancers send it', async () => {
      expect(await ask('1.0', '/health')).toBe(200)
      expect(await ask('1.0', '/api/v1/projects')).toBe(401)
      expect(await ask('1.0', '/x/../health')).toBe(404)
    })

    it('is the only kind of request that can omit the header', async () => {
      expect(await ask('1.1', '/health')).toBe(400)
      expect(await ask('1.0', '/health', 'Host: a b\r\n')).toBe(400)
    })
  })

  describe('a request without a valid URL', () => {
    it.each(['', 'Host: a b/c?d@e\r\n'])('is refused in the format of the service in its path: %j', async (headers) => {
      expect(await answerTo('GET', '/api/v1/projects', headers)).toEqual([400, { error: unreadable }])
      expect(await answerTo('GET', '/api/v1/auth/devices', headers)).toEqual([
        400,
        { message: 'Bad Request', statusCode: 400, code: 'malformed_request', details: {} },
      ])
    })
  })
})
