import { setImmediate } from 'node:timers/promises'
import { Unavailable } from '@countersign/core/storage'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { expect, it } from 'vitest'
import { batchWrites, type WriteConnection } from './batch-writes.ts'
import { LostConnection } from './errors.ts'

/** Tells a statement by its text alone. */
const write = (key: string, text = key) => ({ key, query: { sql: text } as CompiledQuery })

/** A connection for each that is asked for, on which a statement writes as many rows as its text is long, unless it is bad. */
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

it('writes of one turn of the event loop are one transaction, in the order of their keys', async () => {
  const { sent, countOut, checkOut } = connections()
  const share = batchWrites(checkOut)
  const written = await Promise.all([share(write('b', 'four')), share(write('c', 'six!!!')), share(write('a', 'x'))])
  expect(written).toStrictEqual([4, 6, 1])
  expect(sent).toStrictEqual([['x', 'four', 'six!!!']])
  await setImmediate()
  expect(countOut()).toBe(0)
})

it('writes of one key are made in the order in which they were asked for', async () => {
  const { sent, checkOut } = connections()
  const share = batchWrites(checkOut)
  await Promise.all([share(write('b')), share(write('a', 'first')), share(write('a', 'second')), share(write('a', 'third'))])
  expect(sent).toStrictEqual([['first', 'second', 'third', 'b']])
})

it('one transaction has sixteen of them at most', async () => {
  const { sent, checkOut } = connections()
  const share = batchWrites(checkOut)
  await Promise.all(Array.from({ length: 20 }, (_, index) => share(write(String(index)))))
  expect(sent.map(({ length }) => length)).toStrictEqual([16, 4])
})

it('one that fails fails alone: the others are done without it', async () => {
  const { sent, countOut, checkOut } = connections()
  const share = batchWrites(checkOut)
  const written = await Promise.allSettled(['a', 'bad', 'c'].map((text) => share(write(text))))
  expect(written).toMatchObject([{ value: 1 }, { reason: new Error('bad') }, { value: 1 }])
  expect(sent).toStrictEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']])
  await setImmediate()
  expect(countOut()).toBe(0)
})

it('none is tried again where the connection was lost, since all may be done', async () => {
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

it('none is tried again where the server gave one up for its time, since all have waited for it', async () => {
  const cause = Object.assign(new pg.DatabaseError('lock', 0, 'error'), { code: '55P03' })
  const { sent, checkOut } = connections(() => new Unavailable(undefined, { cause }))
  const share = batchWrites(checkOut)
  const written = await Promise.allSettled(['a', 'bad'].map((text) => share(write(text))))
  expect(written).toMatchObject([{ reason: { cause } }, { reason: { cause } }])
  expect(sent).toHaveLength(1)
})

it('where there is no connection, each that waited for it hears so, the second time as well', async () => {
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
