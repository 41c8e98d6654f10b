import { describe, expect, it } from 'vitest'
import { createTestApp } from '../testing/test-app.ts'

describe('the request id', () => {
  it('is the id that the caller sent, if it is valid', async () => {
    const { headers } = await (await createTestApp()).send('GET', '/health', { headers: { 'x-request-id': 'trace.1-A_b' } })
    expect(headers.get('x-request-id')).toBe('trace.1-A_b')
  })

  it.each(['', 'a b', '<x>', 'ü', 'x'.repeat(129)])('is newly generated when the caller sent %j', async (given) => {
    const { headers } = await (await createTestApp()).send('GET', '/health', { headers: { 'x-request-id': given } })
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })
})
