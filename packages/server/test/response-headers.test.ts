import { rateLimitCategories } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { anExample, operationNames, operationOf, pathWith } from '../src/testing/examples.ts'
import { expectContent, expectDocumented, expectEveryHeader } from '../src/testing/expect-answer.ts'
import { createTestApp } from '../src/testing/test-app.ts'

const limited = operationNames.filter((name) => rateLimitCategories.some((category) => category === operationOf(name).rateLimit))
/** One request more than the largest burst. */
const requests = Array.from({ length: 101 }, (_, at) => at)

describe.each(operationNames)('%s', (name) => {
  it('has every header in its success response, and the rate limit headers if it is limited', async () => {
    const test = await createTestApp()
    const { input, options } = await anExample(test, name)
    const answer = await test.call(name, input, options)
    expect(answer.status).toBe(operationOf(name).success)
    expectEveryHeader(answer)
    expectContent(answer, name, operationOf(name))
    const isLimited = limited.includes(name)
    for (const header of ['ratelimit', 'ratelimit-policy']) expect(answer.headers.has(header)).toBe(isLimited)
  })

  it('has the headers when a method is refused or a neighbouring path is unknown', async () => {
    const test = await createTestApp()
    const { input, options } = await anExample(test, name)
    const path = pathWith(name, input)
    for (const answer of [
      await test.send('OPTIONS', path, options),
      await test.send('POST', `${path}/`, { ...options, json: {} }),
    ]) {
      expectDocumented(operationOf(name), answer)
      expect([404, 405]).toContain(answer.status)
    }
  })
})

describe.each(limited)('%s above its rate limit', (name) => {
  it('has the headers too, with Retry-After', async () => {
    const test = await createTestApp()
    const { options } = await anExample(test, name)
    const address = '198.51.100.7'
    // Refused requests count towards the limit too.
    for (const _ of requests) {
      const answer = await test.call(name, {}, { ...options, address })
      if (answer.status !== 429) continue
      expectDocumented(operationOf(name), answer)
      expect(answer.body).toEqual({ message: 'Rate limit exceeded', statusCode: 429, code: 'rate_limited' })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(answer.headers.has('ratelimit')).toBe(true)
      return
    }
    expect.unreachable('it has no limit')
  })
})
