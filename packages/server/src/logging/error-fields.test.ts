import { describe, expect, it } from 'vitest'
import { describeError } from './error-fields.ts'

describe('an error in the log', () => {
  it('has its name, code, frames and causes, but no messages', () => {
    const cause = Object.assign(new TypeError('secret-of-the-cause'), { code: 'ECONNREFUSED' })
    const described = describeError(new Error('secret', { cause }))
    expect(described).toMatchObject({
      error: 'Error',
      frames: expect.arrayContaining([expect.stringContaining('error-fields.test.ts')]),
      cause: { error: 'TypeError', code: 'ECONNREFUSED' },
    })
    expect(JSON.stringify(described)).not.toContain('secret')
  })

  it('does not mistake message lines for stack frames, or words for codes', () => {
    const error = Object.assign(new Error('x\n    at secret (secret.js:1:1)'), { code: 'secret words' })
    expect(JSON.stringify(describeError(error))).not.toContain('secret')
    error.message = 'replaced'
    expect(JSON.stringify(describeError(error))).not.toContain('secret')
  })

  it('does not mistake a sentence for an error name', () => {
    const error = Object.assign(new Error('x'), { name: 'secret words' })
    expect(describeError(error)).toMatchObject({ error: 'Error' })
    expect(describeError(Object.assign(error, { name: 'pg.DatabaseError' }))).toMatchObject({ error: 'pg.DatabaseError' })
  })

  it('has each cause once if causes form a cycle', () => {
    const error = new Error('x')
    error.cause = error
    expect(JSON.stringify(describeError(error)).match(/"error"/g)).toHaveLength(4)
  })

  it('can be any thrown value', () => {
    expect(['secret', undefined, null, 7].map((thrown) => describeError(thrown))).toEqual([
      { error: 'string' },
      { error: 'undefined' },
      { error: 'object' },
      { error: 'number' },
    ])
  })
})
