import { inspect } from 'node:util'
import type { LogEntry } from '@countersign/core/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../src/config/read-config.ts'
import { createLogger } from '../src/logging/logger.ts'
import { serve } from '../src/serve.ts'
import { type Canaries, formsOf, formsOfBase64, shownIn } from '../src/testing/canaries.ts'
import { liveWithCanaries, type Sent } from '../src/testing/canary-life.ts'
import { hostileTexts } from '../src/testing/hostile-json.ts'
import { createTestApp } from '../src/testing/test-app.ts'

let sent: readonly Sent[]
let entries: readonly LogEntry[]
let canaries: Canaries
beforeAll(async () => {
  ;({ sent, entries, canaries } = await liveWithCanaries())
})

describe('a whole user life cycle, logged at trace level,', () => {
  it('includes every refusal and a server error', () => {
    const statuses = new Set(sent.map(({ answer }) => answer.status))
    expect([...statuses].sort()).toEqual([200, 400, 401, 403, 404, 405, 409, 410, 415, 429, 500, 503])
    expect(Object.keys(canaries).length).toBeGreaterThan(25)
    expect(entries.length).toBeGreaterThan(sent.length)
  })

  it('passes no secret to the logger, even in redacted fields', () => {
    for (const entry of entries) {
      expect(shownIn(inspect(entry, { depth: 20, maxStringLength: null, showHidden: true }), canaries), entry.event).toEqual([])
    }
  })

  it('writes no secret into a log line', () => {
    const lines: string[] = []
    const logger = createLogger('trace', { write: (line) => lines.push(line) })
    for (const { level, event, fields } of entries) logger[level](event, fields)
    expect(lines).toHaveLength(entries.length)
    for (const line of lines) expect(shownIn(line, canaries), line).toEqual([])
  })

  it('shows no secret in a refusal or a header', () => {
    for (const { what, answer } of sent) {
      const headers = JSON.stringify([...answer.headers])
      expect(shownIn(answer.status < 400 ? headers : answer.text + headers, canaries), what).toEqual([])
    }
  })

  it('shows in a successful response only the documented fields of the operation', () => {
    for (const { what, answer, gives } of sent.filter((one) => one.answer.status < 400)) {
      // These responses may contain a secret: the payload for its owner, and the challenge for the device.
      const isReading = /^(?:confirmations\.(?:pending|status)|services\.)/.test(what)
      // A receipt is made of signatures.
      const mayShow = /^services\.re/.test(what) ? /^recipient|^challenge|^the signature of the reg/ : /^recipient|^challenge/
      const others = Object.fromEntries(
        Object.entries(canaries).filter(([name]) => !gives.includes(name) && !(isReading && mayShow.test(name))),
      )
      expect(shownIn(answer.text, others), what).toEqual([])
    }
  })
})

describe('a log line', () => {
  it('is one JSON object, whatever a request contained', async () => {
    const lines: string[] = []
    const test = await createTestApp({
      app: { logger: createLogger('trace', { write: (line) => lines.push(line) }) },
      options: { rateLimits: 'off' },
    })
    const texts = hostileTexts.filter((text) => text.isWellFormed())
    for (const text of texts) {
      const encoded = encodeURIComponent(text)
      const headerText = encoded.slice(0, 10_000)
      await test.call('auth.login', { email: text, password: text })
      await test.call('confirmations.status', { confirmationId: text || 'x' }, { token: headerText || 'x' })
      const headers = { 'x-request-id': headerText, 'user-agent': headerText, 'x-forwarded-for': headerText, referer: headerText }
      await test.send('GET', `/${encoded}?${encoded}=${encoded}`, { headers })
      await test.send('X-M', '/health', { headers })
    }
    expect(lines).toHaveLength(texts.length * 4)
    for (const line of lines) {
      expect(line.endsWith('\n')).toBe(true)
      expect(line.slice(0, -1)).not.toMatch(/\p{Cc}|[\u2028\u2029]/u)
      expect(line.length).toBeLessThan(1000)
      const members = JSON.parse(line) as { readonly status: number }
      const ofRefusal = members.status >= 400 ? ['code'] : []
      expect(Object.keys(members).sort()).toEqual(
        [...ofRefusal, 'durationMs', 'event', 'level', 'method', 'requestId', 'route', 'status', 'time'].sort(),
      )
    }
  })
})

describe('a server that does not start', () => {
  const ring = 'canaryCanaryCanaryCanaryCanaryCanaryCanary0'
  it.each([
    [
      'a database that does not answer',
      { COUNTERSIGN_DATABASE_URL: 'postgres://ada:canary-db-pass@127.0.0.1:1/x?password=canary-db-pass' },
    ],
    ['an invalid database URL', { COUNTERSIGN_DATABASE_URL: 'mysql://ada:canary-db-pass@127.0.0.1/x' }],
    ['an invalid key ring', { COUNTERSIGN_JWT_KEYS: `k:${ring}!`, COUNTERSIGN_ENCRYPTION_KEYS: `k:${ring}canary-db-pass` }],
    ['a key ring with a repeated entry', { COUNTERSIGN_JWT_KEYS: `k:${ring},l:${ring}` }],
  ])('does not display its secrets: %s', async (_what, environment) => {
    const lines: string[] = []
    const logger = createLogger('trace', { write: (line) => lines.push(line) })
    const env = {
      COUNTERSIGN_PORT: '0',
      COUNTERSIGN_JWT_KEYS: `k:${ring}`,
      COUNTERSIGN_ENCRYPTION_KEYS: `k:${ring}`,
      ...environment,
    }
    const failure = await (async () => serve(readConfig(env), { logger, signals: false }))().then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(failure).toMatchObject({ lines: expect.arrayContaining([expect.any(String)]) })
    const said = (failure as { lines: readonly string[] }).lines.join('\n') + lines.join('')
    expect(shownIn(said, { password: formsOf('canary-db-pass'), ring: formsOfBase64(ring) })).toEqual([])
  })
})
