import { operations } from '@countersign/contract'
import { recordingLogger } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { directlyWithBody } from './directly-with-body.ts'

describe('a request whose body came with its headers', () => {
  const row = operations['auth.refresh']
  const body = () => {
    const text = Buffer.from('{}')
    return { readableLength: text.length, read: () => text, resume: () => {} }
  }
  const sent = (length: string, ...headers: string[]) => ({
    method: 'POST',
    url: row.path,
    rawHeaders: ['Host', 'localhost', 'Content-Length', length, ...headers],
    ...body(),
  })

  it('is answered with the body at hand', async () => {
    const answerDirectly = directlyWithBody(
      [[row, ({ request }) => ({ status: 200, body: String(request.arrived), headers: {} })]],
      recordingLogger(),
    )
    await expect(answerDirectly(sent('2'))).resolves.toMatchObject({ body: '{}' })
  })

  it('is not tried again where that fails, and the log tells', async () => {
    const logger = recordingLogger()
    const answerDirectly = directlyWithBody([[row, () => Promise.reject(new TypeError('secret'))]], logger)
    await expect(answerDirectly(sent('2'))).resolves.toEqual({
      status: 500,
      body: '{"message":"Internal server error","statusCode":500,"code":"internal_error"}',
      headers: {},
    })
    expect(logger.entries).toMatchObject([{ level: 'error', event: 'direct_answer_failed', fields: { error: 'TypeError' } }])
    expect(JSON.stringify(logger.entries)).not.toContain('secret')
  })

  it.each([
    ['that has not arrived whole', sent('3')],
    ['of many bytes', sent('100000')],
    ['of a length that is no number', sent('2, 2')],
    ['in chunks', sent('2', 'Transfer-Encoding', 'chunked')],
    ['that wants to be told to go on', sent('2', 'Expect', '100-continue')],
  ])('goes the ordinary way, unread, with a body %s', async (_, request) => {
    const unread = () => {
      throw new Error('was read')
    }
    const answerDirectly = directlyWithBody([[row, unread]], recordingLogger())
    expect(await answerDirectly({ ...request, read: unread })).toBeUndefined()
  })
})
