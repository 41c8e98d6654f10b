import { setImmediate } from 'node:timers/promises'
import { Unavailable } from '@countersign/core/storage'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { expect, it, vi } from 'vitest'
import { batchWrites, type WriteConnection } from './batch-writes.ts'
import { LostConnection } from './errors.ts'

/** Identifies a statement by its text. */
const write = (key: string, text = key) => ({ key, query: { sql: text } as CompiledQuery })

/** Returns a pool of connections. A statement writes as many rows as its text is long, or fails if its text begins with "bad". */
const connections = (errorOf = (text: string): Error => new Error(text)) => {
  const sent: string[][] = []
  let out = 0
  const send = async (queries: readonly CompiledQuery[]): Promise<number[]> => {
    const texts = queries.map((query) => query.sql)
    sent.push(texts)
    await setImmediate()
    const bad = texts.find((text) => text.startsWith('bad'))
    if (bad !== undefined) throw errorOf(bad)
    return texts.map((text) => text.length)
  }
  return {
    sent,
    countOut: () => out,
    checkOut: async (): Promise<WriteConnection> => {
      out += 1
      return {
        runTransaction: send,
        executeQuery: async (query) => ({ rows: [], numAffectedRows: BigInt((await send([query]))[0] ?? 0) }),
        release: () => {
          out -= 1
        },
      }
    },
  }
}

it('writes of one event-loop turn form one transaction, ordered by key', async () => {
  const { sent, countOut, checkOut } = connections()
  const share = batchWrites(checkOut)
  const written = await Promise.all([share(write('b', 'four')), share(write('c', 'six!!!')), share(write('a', 'x'))])
  expect(written).toStrictEqual([4, 6, 1])
  expect(sent).toStrictEqual([['x', 'four', 'six!!!']])
  await setImmediate()
  expect(countOut()).toBe(0)
})

it('writes with the same key keep their order', async () => {
  const { sent, checkOut } = connections()
  const share = batchWrites(checkOut)
  await Promise.all([share(write('b')), share(write('a', 'first')), share(write('a', 'second')), share(write('a', 'third'))])
  expect(sent).toStrictEqual([['first', 'second', 'third', 'b']])
})

it('one transaction contains at most sixteen writes', async () => {
  const { sent, checkOut } = connections()
  const share = batchWrites(checkOut)
  await Promise.all(Array.from({ length: 20 }, (_, index) => share(write(String(index)))))
  expect(sent.map(({ length }) => length)).toStrictEqual([16, 4])
})

it('a failed write rejects alone, and the other writes are executed without it', async () => {
  const { sent, countOut, checkOut } = connections()
  const share = batchWrites(checkOut)
  const written = await Promise.allSettled(['a', 'bad', 'c'].map((text) => share(write(text))))
  expect(written).toMatchObject([{ value: 1 }, { reason: new Error('bad') }, { value: 1 }])
  expect(sent).toStrictEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']])
  await setImmediate()
  expect(countOut()).toBe(0)
})

it('no write is retried after the connection was lost, because all of them may be committed', async () => {
  const lost = new LostConnection(true, { cause: new Error('lost') })
  const { sent, checkOut } = connections(() => lost)
  const share = batchWrites(checkOut)
  const written = await Promise.allSettled(['a', 'bad'].map((text) => share(write(text))))
  expect(written).toStrictEqual([
    { status: 'rejected', reason: lost },
    { status: 'rejected', reason: lost },
  ])
  expect(sent).toHaveLength(1)
})

it('a lock time-out rejects every write of the batch without another attempt', async () => {
  const cause = Object.assign(new pg.DatabaseError('lock', 0, 'error'), { code: '55P03' })
  const { sent, checkOut } = connections(() => new Unavailable(undefined, { cause }))
  const share = batchWrites(checkOut)
  const written = await Promise.allSettled(['a', 'bad'].map((text) => share(write(text))))
  expect(written).toMatchObject([{ reason: { cause } }, { reason: { cause } }])
  expect(sent).toHaveLength(1)
})

it('all waiting writes fail when there is no connection, also on the second attempt', async () => {
  const { checkOut } = connections()
  let attempts = 0
  const share = batchWrites(async () => {
    attempts += 1
    if (attempts !== 2) throw new Error(`no connection ${attempts}`)
    return checkOut()
  })
  const both = (...texts: string[]) => Promise.allSettled(texts.map((text) => share(write(text))))
  expect(await both('a', 'b')).toMatchObject([
    { reason: { message: 'no connection 1' } },
    { reason: { message: 'no connection 1' } },
  ])
  expect(await both('bad', 'c')).toMatchObject([
    { reason: { message: 'no connection 3' } },
    { reason: { message: 'no connection 4' } },
  ])
})

it('a write that comes while a connection is refused at once gets a try of its own', async () => {
  const { sent, countOut, checkOut } = connections()
  const vain = Promise.withResolvers<WriteConnection>()
  const attempts = [() => vain.promise, checkOut]
  const share = batchWrites(() => (attempts.shift() ?? checkOut)())
  const early = share(write('a'))
  await setImmediate()
  const late = share(write('b', 'late'))
  vain.reject(new Error('refused'))
  expect(await Promise.allSettled([early, late])).toMatchObject([{ reason: new Error('refused') }, { value: 4 }])
  expect(sent).toStrictEqual([['late']])
  await setImmediate()
  expect(countOut()).toBe(0)
})

it('a write that comes while a connection is waited for in vain fails with the others, and never waits twice', async () => {
  const { sent, checkOut } = connections()
  const vain = Promise.withResolvers<WriteConnection>()
  const attempts = [() => vain.promise, checkOut]
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const share = batchWrites(() => (attempts.shift() ?? checkOut)())
  const early = share(write('a'))
  await setImmediate()
  const late = share(write('b'))
  now = 100
  vain.reject(new Error('no connection'))
  const reason = new Error('no connection')
  expect(await Promise.allSettled([early, late])).toMatchObject([{ reason }, { reason }])
  expect(sent).toStrictEqual([])
})
