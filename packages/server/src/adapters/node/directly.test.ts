import { operations } from '@countersign/contract'
import { recordingLogger } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import type { Operate } from '../../http/mount.ts'
import { directly } from './directly.ts'

const rawHeaders = ['Host', 'localhost']
const plain = { method: 'GET', url: '/internal/verify', rawHeaders }

const given = (operate: Operate) => {
  const logger = recordingLogger()
  return { logger, answerDirectly: directly([[operations['internal.verify'], operate]], logger) }
}

describe('a request that Node’s server has', () => {
  it('is answered where it stands, at once or later', async () => {
    const sent = { status: 200, body: '{}', headers: {} }
    expect(given(() => sent).answerDirectly(plain)).toBe(sent)
    await expect(given(async () => sent).answerDirectly(plain)).resolves.toBe(sent)
  })

  it.each<readonly [string, Operate]>([
    [
      'at once',
      () => {
        throw new TypeError('secret')
      },
    ],
    ['later', () => Promise.reject(new TypeError('secret'))],
  ])('goes the ordinary way where the direct one fails %s, and the log tells', async (_, operate) => {
    const { logger, answerDirectly } = given(operate)
    expect(await answerDirectly(plain)).toBeUndefined()
    expect(logger.entries).toMatchObject([{ level: 'error', event: 'direct_answer_failed', fields: { error: 'TypeError' } }])
    expect(JSON.stringify(logger.entries)).not.toContain('secret')
  })

  it.each([
    ['of another method', { ...plain, method: 'POST' }],
    ['of another path', { ...plain, url: '/internal/verify/' }],
    ['with a query', { ...plain, url: '/internal/verify?' }],
    ['without a host', { ...plain, rawHeaders: [] }],
    ['of two hosts', { ...plain, rawHeaders: [...rawHeaders, 'host', 'other'] }],
    ['with a body', { ...plain, rawHeaders: [...rawHeaders, 'content-length', '1'] }],
    ['with chunks', { ...plain, rawHeaders: [...rawHeaders, 'Transfer-Encoding', 'chunked'] }],
  ])('goes the ordinary way %s', (_, request) => {
    const { answerDirectly } = given(() => {
      throw new Error('was asked')
    })
    expect(answerDirectly(request)).toBeUndefined()
  })
})
