import { createTestCountersign } from '@countersign/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService } from '../src/app.ts'
import { type Listening, listen } from '../src/listen/listen.ts'
import { openConnection } from '../src/testing/raw-connection.ts'

let listening: Listening
beforeAll(async () => {
  const { app, answerDirectly } = createService(createTestCountersign().countersign, {
    version: '1.2.3',
    requestTarget: (env) => (env as { incoming: { url?: string } }).incoming.url,
  })
  listening = await listen(app.fetch, { host: '127.0.0.1', port: 0, answerDirectly })
})
afterAll(() => listening.close(1000))

/** Status and body of the answer to a target, which is sent to the letter. */
const answerTo = async (method: string, target: string, headers = 'Host: x\r\n') => {
  const connection = await openConnection(listening.url)
  connection.write(`${method} ${target} HTTP/1.1\r\n${headers}Content-Length: 0\r\nConnection: close\r\n\r\n`)
  const received = await connection.closed()
  return [Number(received.slice(9, 12)), JSON.parse(received.slice(received.indexOf('\r\n\r\n')))]
}

const notFound = { code: 'NOT_FOUND', message: 'Not found', details: {}, statusCode: 404 }
const unreadable = { code: 'VALIDATION_ERROR', message: 'Bad Request', details: {}, statusCode: 400 }

describe('a path that is written otherwise than its URL', () => {
  it.each([
    ['GET', '/api/v1/projects/./x'],
    ['GET', '/api/v1/projects/..'],
    ['GET', '/api/v1/projects/%2e%2e'],
    ['GET', '/api/v1/projects/x/.%2E/y?page=1'],
    ['PUT', '/api/v1/projects/zzz/%2e%2e/PRJ-2026-000001/approved'],
    ['DELETE', '/api/v1/projects/../projects/PRJ-2026-000001'],
    ['GET', '/api/v1/product-schemas/./software'],
  ])('is not found in the form of the projects service: %s %s', async (method, target) => {
    expect(await answerTo(method, target)).toEqual([404, { error: notFound }])
  })

  it.each(['/api/v1/projects\\x', '/api/v1/projects/\\', '/api/v1/projects/x\\..\\y', '/api/v1/product-schemas\\..'])(
    'is refused in the form of the projects service where it has a backslash: %s',
    async (target) => {
      expect(await answerTo('GET', target)).toEqual([400, { error: unreadable }])
    },
  )

  it('is answered in the form of the authentication service elsewhere', async () => {
    for (const target of ['/api/v1/auth/./login', '/api/v1/auth/../projects', '/./api/v1/projects', '/api/v1/projectsque/..']) {
      expect(await answerTo('GET', target)).toEqual([404, { message: 'Not found', statusCode: 404 }])
    }
    for (const target of ['/api/v1/auth\\login', '/api\\v1\\projects', '/\\']) {
      expect(await answerTo('GET', target)).toEqual([400, { message: 'Bad Request', statusCode: 400 }])
    }
  })
})

describe('a request of which no URL can be made', () => {
  it.each(['', 'Host: a b/c?d@e\r\n'])('is refused in the form of the service that it asks: %j', async (headers) => {
    expect(await answerTo('GET', '/api/v1/projects', headers)).toEqual([400, { error: unreadable }])
    expect(await answerTo('GET', '/api/v1/auth/devices', headers)).toEqual([400, { message: 'Bad Request', statusCode: 400 }])
  })
})
