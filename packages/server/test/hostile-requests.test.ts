import type { OperationName } from '@countersign/contract'
import { describe, expect, it, vi } from 'vitest'
import { type Attempt, sendAttempts, sendWith } from '../src/testing/derived-requests.ts'
import { anExample, type Example, hasBody, operationNames, operationOf, optionsOf, pathWith } from '../src/testing/examples.ts'
import { expectDocumented } from '../src/testing/expect-answer.ts'
import { hostileTexts } from '../src/testing/hostile-json.ts'
import { signInWithDevice } from '../src/testing/sign-in.ts'
import { createTestApp } from '../src/testing/test-app.ts'

vi.setConfig({ testTimeout: 120_000 })

const anApp = () => createTestApp({ options: { rateLimits: 'off' } })

describe('the path and query of a request', () => {
  const encoded = hostileTexts
    .filter((text) => text.isWellFormed() && text.length < 1000)
    .map((text) => encodeURIComponent(text).replaceAll('.', '%2e'))
  const written = [
    '%',
    '%zz',
    '%00',
    'a%00',
    '%2f',
    '..%2f..%2f',
    '%5c',
    '%c0%af',
    '%ff',
    '%ed%a0%80',
    ';x=1',
    '%252f',
    '%0d%0aa:b',
  ]
  const members = [...encoded, ...written, 'a'.repeat(8000), '%20'.repeat(300)]
  const queries = [
    '?',
    '?&&&',
    '?=',
    '?%',
    '?a=%',
    '?a=%ff',
    '?a=%00',
    '?%00=a',
    '?a=1&a=2',
    '?a[]=1&a=2',
    '?a[]=1&a[]=2',
    '?__proto__=1',
    '?__proto__[admin]=1',
    '?constructor[prototype][admin]=1',
    '?deviceId=x&confirmationId=x&caller=x&token=x&serviceName=x&userId=1',
    `?a=${'a'.repeat(100_000)}`,
    `?${'a=1&'.repeat(10_000)}`,
  ]
  /** Every query that is written above, and every eighth text: each operation gets other texts. */
  const queriesFor = (name: OperationName) => [
    ...queries,
    ...encoded.filter((_, at) => at % 8 === operationNames.indexOf(name) % 8).map((text) => `?${text}=${text}`),
  ]

  it.each(operationNames.filter((name) => operationOf(name).path.includes('{')))(
    'with any path parameter is answered by %s as documented',
    async (name) => {
      const test = await anApp()
      const attempts = members.map((member): Attempt => {
        const path = operationOf(name).path.replaceAll(/\{\w+\}/g, member)
        return { what: path.slice(0, 120), send: sendWith(test, name, () => ({ path })) }
      })
      const seen = await sendAttempts(test, name, attempts)
      expect(
        Object.keys(seen).every((status) => ['400', '404', '405'].includes(status)),
        JSON.stringify(seen),
      ).toBe(true)
    },
  )

  it.each(['a%2fstatus', '%2F', '..%2f..%2f', 'a%5Cb', '%5c'])(
    'with the slash %s in a path parameter matches no operation',
    async (member) => {
      const test = await anApp()
      const user = await signInWithDevice(test)
      for (const name of operationNames.filter((one) => operationOf(one).path.includes('{'))) {
        const options = await optionsOf(test, name, user)
        const path = operationOf(name).path.replaceAll(/\{\w+\}/g, member)
        const answer = await test.send(operationOf(name).method, path, {
          ...options,
          ...(hasBody(name) ? { json: {} } : {}),
        })
        expect(answer.status, name).toBe(404)
        expectDocumented(operationOf(name), answer, name)
        // The message of an unknown path, not of a missing object.
        expect(answer.text, name).toContain('"message":"Not found"')
      }
    },
  )

  it.each(operationNames)('with any query is answered by %s as documented', async (name) => {
    const test = await anApp()
    const attempts = queriesFor(name).map((query): Attempt => {
      const send = sendWith(test, name, ({ input }) => ({ path: `${pathWith(name, input)}${query}` }))
      return { what: query.slice(0, 120), send }
    })
    const seen = await sendAttempts(test, name, attempts)
    expect(
      Object.keys(seen).every((status) => [operationOf(name).success, 400].includes(Number(status))),
      JSON.stringify(seen),
    ).toBe(true)
  })
})

describe('the method of a request', () => {
  const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'LOCK', 'QUERY', 'X']

  it.each(operationNames)('if it is not supported by %s, is answered with 405 and the supported methods', async (name) => {
    const test = await anApp()
    const { input, options } = await anExample(test, name)
    const path = pathWith(name, input)
    const siblings = operationNames.filter((other) => operationOf(other).path === operationOf(name).path)
    const allowed = siblings.map((other) => operationOf(other).method)
    for (const method of others) {
      const isRead = ['GET', 'HEAD'].includes(method)
      const answer = await test.send(method, path, isRead ? options : { ...options, json: input })
      if (method === 'HEAD') {
        expect(answer.text).toBe('')
        expect(answer.status).toBeLessThan(500)
      } else {
        const target = siblings.find((other) => operationOf(other).method === method) ?? name
        expectDocumented(operationOf(target), answer, `${method} ${path}`)
      }
      // A changed path may match other operations, whose refusals are also documented.
      if (!allowed.includes(method as 'GET') && answer.status === 405)
        expect(answer.headers.get('allow')).toMatch(/^[A-Z]+(, [A-Z]+)*$/)
      if (method === 'OPTIONS' || method === 'X') expect(answer.status).toBe(405)
    }
  })

  it.each(['X-HTTP-Method-Override', 'X-Method-Override', 'X-HTTP-Method'])('is not overridden by %s', async (header) => {
    const test = await anApp()
    const { input, options } = await anExample(test, 'devices.remove')
    const answer = await test.send('POST', pathWith('devices.remove', input), {
      ...options,
      json: {},
      headers: { [header]: 'DELETE' },
    })
    expect(answer.status).toBe(405)
  })
})

describe('the headers of a request', () => {
  const authorizations = (token: string): readonly string[] => [
    '',
    'Bearer',
    'Bearer ',
    'Basic dXNlcjpwYXNz',
    `Token ${token}`,
    `Bearer${token}`,
    `Bearer\t${token}`,
    `Bearer: ${token}`,
    `Bearer "${token}"`,
    `Bearer ${token} x`,
    `Bearer ${token}, Bearer ${token}`,
    `Basic x, Bearer ${token}`,
    `Bearer token=${token}`,
    `Bearer ${token},`,
    'Bearer null',
    'Bearer undefined',
    'Bearer [object Object]',
    'Bearer ..',
    'Bearer \xff\xfe',
    `Bearer ${'a'.repeat(1_000_000)}`,
    `Bearer ${'a.'.repeat(100_000)}`,
    `Bearer${' '.repeat(100_000)}x`,
    token,
  ]

  it.each(operationNames.filter((name) => operationOf(name).authentication !== 'none'))(
    'with a malformed Authorization are answered by %s with 401',
    async (name) => {
      const test = await anApp()
      const { length } = authorizations('')
      const attempts = Array.from({ length }, (_, at): Attempt => {
        const header = ({ options }: Example) => authorizations(options.token ?? '')[at] ?? ''
        const send = sendWith(test, name, (example) => ({ headers: { authorization: header(example) } }))
        return { what: header({ options: { token: 'TOKEN' } } as Example).slice(0, 80), send, keepsExample: true }
      })
      expect(await sendAttempts(test, name, attempts)).toEqual({ 401: length })
    },
  )

  it.each(operationNames)('that %s does not read change nothing', async (name) => {
    const test = await anApp()
    const hostile: readonly Readonly<Record<string, string>>[] = [
      { 'x-forwarded-for': '127.0.0.1, ::1, 999.1.1.1, <script>' },
      { 'x-forwarded-for': '1,'.repeat(50_000) },
      { forwarded: 'for=127.0.0.1;host=evil.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'ftp' },
      { host: 'evil.test', 'x-original-url': '/health', 'x-rewrite-url': '/health' },
      { 'x-request-id': 'a\tb"\\\xe9' },
      { 'x-request-id': 'a'.repeat(100_000) },
      { cookie: 'a=b; '.repeat(10_000), origin: 'null', referer: 'x'.repeat(100_000) },
      { accept: 'text/html;q=NaN', 'accept-encoding': 'x', 'accept-language': '*', range: 'bytes=0-1', 'if-none-match': '*' },
      { 'user-agent': '() { :; }; echo x' },
      { upgrade: 'websocket', connection: 'upgrade', te: 'trailers', trailer: 'authorization' },
      ...(['__proto__', 'constructor', 'prototype'] as const).map((header) => Object.fromEntries([[header, 'x']])),
    ]
    const attempts = hostile.map((headers): Attempt => {
      return { what: JSON.stringify(headers).slice(0, 80), send: sendWith(test, name, () => ({ headers })) }
    })
    expect(await sendAttempts(test, name, attempts)).toEqual({ [operationOf(name).success]: hostile.length })
  })

  it.each(['', ' ', 'a\tb', 'a'.repeat(65), "a'--", 'a;b', 'a\\b', '%2e', '<a>', '\xe9', 'a,b'])(
    'with the service name %j are answered with 400',
    async (serviceName) => {
      const test = await anApp()
      const { options } = await anExample(test, 'internal.verify')
      const answer = await test.send('GET', '/internal/verify', { ...options, headers: { 'x-service-name': serviceName } })
      expectDocumented(operationOf('internal.verify'), answer)
      expect(answer.status).toBe(400)
    },
  )
})
