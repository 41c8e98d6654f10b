import { Unavailable } from '@countersign/core/storage'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { LostConnection } from './errors.ts'
import { withRetries } from './with-retries.ts'

const errorOf = (code: string) => Object.assign(new pg.DatabaseError('told by the server', 0, 'error'), { code })

/** Work that fails with these errors, one after another, and then succeeds. */
const given = (...errors: readonly unknown[]) => {
  const attempts: number[] = []
  const work = async () => {
    attempts.push(attempts.length)
    if (attempts.length <= errors.length) throw errors[attempts.length - 1]
    return 'done'
  }
  return { attempts, work }
}

describe('a transaction that the database gave up in favour of another', () => {
  it.each(['40001', '40P01'])('is tried again, three times at most: %s', async (code) => {
    const { attempts, work } = given(errorOf(code), errorOf(code), errorOf(code))
    expect(await withRetries(work)).toBe('done')
    expect(attempts).toHaveLength(4)
  })

  it('is tried again where an email was taken meanwhile', async () => {
    const { attempts, work } = given(Object.assign(errorOf('23505'), { constraint: 'users_email_key' }))
    expect(await withRetries(work)).toBe('done')
    expect(attempts).toHaveLength(2)
  })

  it('is unavailable where that does not help', async () => {
    const last = errorOf('40001')
    const { attempts, work } = given(errorOf('40P01'), errorOf('40001'), errorOf('40001'), last)
    const error = await withRetries(work).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Unavailable)
    expect(error).toHaveProperty('cause', last)
    expect(attempts).toHaveLength(4)
  })

  it.each([errorOf('23505'), new Error('changed my mind'), new Unavailable()])(
    'is not what failed otherwise: %s',
    async (failure) => {
      const { attempts, work } = given(failure)
      await expect(withRetries(work)).rejects.toBe(failure)
      expect(attempts).toHaveLength(1)
    },
  )
})

describe('work whose connection was lost', () => {
  const lost = (mayBeCommitted: boolean) => new LostConnection(mayBeCommitted, { cause: new Error('read ECONNRESET') })

  it('is run again where nothing of it can be done', async () => {
    const { attempts, work } = given(lost(false), lost(false))
    expect(await withRetries(work)).toBe('done')
    expect(attempts).toHaveLength(3)
  })

  it('is not run again where it may be done', async () => {
    const failure = lost(true)
    const { attempts, work } = given(failure)
    await expect(withRetries(work)).rejects.toBe(failure)
    expect(attempts).toHaveLength(1)
  })

  it('is run again in any case where it leaves nothing', async () => {
    const { attempts, work } = given(lost(true))
    expect(await withRetries(work, { isReadOnly: true })).toBe('done')
    expect(attempts).toHaveLength(2)
  })

  it('is given up after three more times', async () => {
    const failures = [lost(false), lost(false), lost(false), lost(false)]
    const { attempts, work } = given(...failures)
    await expect(withRetries(work)).rejects.toBe(failures[3])
    expect(attempts).toHaveLength(4)
  })
})
