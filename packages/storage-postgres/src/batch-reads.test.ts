import { setImmediate } from 'node:timers/promises'
import { Unavailable } from '@countersign/core/storage'
import pg from 'pg'
import { expect, it } from 'vitest'
import { batchReads } from './batch-reads.ts'
import type { Answer, Statement } from './statements/send-batch.ts'

const read = (text: string): Statement => ({ text, values: [] })
const answerTo = ({ text }: Statement): Answer => ({ command: 'SELECT', rowCount: 1, rows: [text] })

/** Returns a pool of connections that records the statements of each batch and the number of checked-out connections. */
const connections = () => {
  const sent: string[][] = []
  let out = 0
  return {
    sent,
    countOut: () => out,
    checkOut: async () => {
      out += 1
      return {
        sendBatch: async (statements: readonly Statement[]) => {
          sent.push(statements.map(({ text }) => text))
          const bad = statements.findIndex(({ text }) => text.startsWith('bad'))
          if (bad === -1) return { answers: statements.map(answerTo) }
          return { answers: statements.slice(0, bad).map(answerTo), failure: { error: new Error(statements[bad]?.text) } }
        },
        release: () => {
          out -= 1
        },
      }
    },
  }
}

it('reads of one event-loop turn are sent as one batch', async () => {
  const { sent, countOut, checkOut } = connections()
  const ask = batchReads(checkOut)
  const answers = await Promise.all([ask(read('a')), ask(read('b'))])
  expect(answers.map(({ rows }) => rows)).toStrictEqual([['a'], ['b']])
  await ask(read('c'))
  expect(sent).toStrictEqual([['a', 'b'], ['c']])
  await setImmediate()
  expect(countOut()).toBe(0)
})

it('reads that arrive while a connection is awaited join the waiting batch, up to sixteen', async () => {
  const { sent, checkOut } = connections()
  const free = Promise.withResolvers<void>()
  const ask = batchReads(async () => {
    await free.promise
    return checkOut()
  })
  const reads = [ask(read('first'))]
  await setImmediate()
  for (let index = 1; index < 20; index += 1) reads.push(ask(read(`later ${index}`)))
  await setImmediate()
  free.resolve()
  await Promise.all(reads)
  expect(sent.map(({ length }) => length)).toStrictEqual([16, 4])
})

it('a failed read rejects alone, and the reads behind it are sent again', async () => {
  const { sent, countOut, checkOut } = connections()
  const ask = batchReads(checkOut)
  const answers = await Promise.allSettled(['a', 'bad 1', 'b', 'bad 2', 'c'].map((text) => ask(read(text))))
  expect(answers.map(({ status }) => status)).toStrictEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
  expect(sent).toStrictEqual([['a', 'bad 1', 'b', 'bad 2', 'c'], ['b', 'bad 2', 'c'], ['c']])
  await setImmediate()
  expect(countOut()).toBe(0)
})

it('all remaining reads fail when the connection is lost between two attempts', async () => {
  const { checkOut } = connections()
  let tries = 0
  const ask = batchReads(async () => {
    const connection = await checkOut()
    const sendBatch = async (statements: readonly Statement[]) => {
      tries += 1
      if (tries === 2) throw new Error('lost')
      return connection.sendBatch(statements)
    }
    return { ...connection, sendBatch }
  })
  const answers = await Promise.allSettled(['a', 'bad', 'b', 'c'].map((text) => ask(read(text))))
  const lost = { status: 'rejected', reason: new Error('lost') }
  expect(answers).toMatchObject([{ status: 'fulfilled' }, { reason: new Error('bad') }, lost, lost])
})

it('a lock time-out of one read also rejects the reads behind it, without another attempt', async () => {
  const cause = Object.assign(new pg.DatabaseError('lock', 0, 'error'), { code: '55P03' })
  const { sent, checkOut } = connections()
  const ask = batchReads(async () => ({
    ...(await checkOut()),
    sendBatch: async (statements) => {
      sent.push(statements.map(({ text }) => text))
      return {
        answers: [{ command: 'SELECT', rowCount: 0, rows: [] }],
        failure: { error: new Unavailable(undefined, { cause }) },
      }
    },
  }))
  const answers = await Promise.allSettled(['a', 'held', 'b'].map((text) => ask(read(text))))
  expect(answers).toMatchObject([{ status: 'fulfilled' }, { reason: { cause } }, { reason: { cause } }])
  expect(sent).toHaveLength(1)
})

it('all waiting reads fail when there is no connection, and later reads succeed', async () => {
  const { checkOut } = connections()
  let attempts = 0
  const ask = batchReads(async () => {
    attempts += 1
    if (attempts === 1) throw new Error('no connection')
    return checkOut()
  })
  const answers = await Promise.allSettled([ask(read('a')), ask(read('b'))])
  expect(answers).toMatchObject([{ reason: new Error('no connection') }, { reason: new Error('no connection') }])
  expect((await ask(read('c'))).rows).toStrictEqual(['c'])
})
