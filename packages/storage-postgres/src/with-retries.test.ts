import { Unavailable } from '@countersign/core/storage'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { LostConnection } from './errors.ts'
import { withRetries } from './with-retries.ts'

const errorOf = (code: string) => Object.assign(new pg.DatabaseError('told by the server', 0, 'error'), { code })

/** Returns work that fails with these errors, one after another, and then succeeds. */
const given = (...errors: readonly unknown[]) => {
  const attempts: number[] = []
  const work = async () => {
    attempts.push(attempts.length)
    if (attempts.length <= errors.length) throw errors[attempts.length - 1]
    return 'done'
  }
  return { attempts, work }
}

describe('a transaction that PostgreSQL aborted because of a conflict', () => {
  it.each(['40001', '40P01'])('is retried at most three times: %s', async (code) => {
    const { attempts, work } = given(errorOf(code), errorOf(code), errorOf(code))
    expect(await withRetries(work)).toBe('done')
    expect(attempts).toHaveLength(4)
  })

  it('is retried when another transaction took the same email', async () => {
    const { attempts, work } = given(Object.assign(errorOf('23505'), { constraint: 'users_email_key' }))
    expect(await withRetries(work)).toBe('done')
    expect(attempts).toHaveLength(2)
  })

  it('fails as unavailable when every retry conflicts', async () => {
    const last = errorOf('40001')
    const { attempts, work } = given(errorOf('40P01'), errorOf('40001'), errorOf('40001'), last)
    const error = await withRetries(work).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Unavailable)
    expect(error).toHaveProperty('cause', last)
    expect(attempts).toHaveLength(4)
  })

  it.each([errorOf('23505'), new Error('changed my mind'), new Unavailable()])(
    'is not retried after any other failure: %s',
    async (failure) => {
      const { attempts, work } = given(failure)
      await expect(withRetries(work)).rejects.toBe(failure)
      expect(attempts).toHaveLength(1)
    },
  )
})

describe('work whose connection was lost', () => {
  const lost = (mayBeCommitted: boolean) => new LostConnection(mayBeCommitted, { cause: new Error('read ECONNRESET') })

  it('is retried when it cannot have been committed', async () => {
    const { attempts, work } = given(lost(false), lost(false))
    expect(await withRetries(work)).toBe('done')
    expect(attempts).toHaveLength(3)
  })

  it('is not retried when it may have been committed', async () => {
    const failure = lost(true)
    const { attempts, work } = given(failure)
    await expect(withRetries(work)).rejects.toBe(failure)
    expect(attempts).toHaveLength(1)
  })

  it('is always retried when it is read-only', async () => {
    const { attempts, work } = given(lost(true))
    expect(await withRetries(work, { isReadOnly: true })).toBe('done')
    expect(attempts).toHaveLength(2)
  })

  it('fails after three retries', async () => {
    const failures = [lost(false), lost(false), lost(false), lost(false)]
    const { attempts, work } = given(...failures)
    await expect(withRetries(work)).rejects.toBe(failures[3])
    expect(attempts).toHaveLength(4)
  })
})
