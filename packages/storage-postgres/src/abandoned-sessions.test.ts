import type pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { watchAbandonedSessions } from './abandoned-sessions.ts'
import type { Connector } from './servers/connector.ts'

const admission = (process: number) => ({ run: 'first', isDirect: true, process })

/** A server that answers a question about its sessions when the test says which of them are alive. */
const aServer = () => {
  const questions: { readonly asked: readonly number[]; readonly answer: (alive: readonly number[]) => void }[] = []
  const query = (_text: string, [asked]: [readonly number[]]) =>
    new Promise((resolve) => {
      questions.push({ asked, answer: (alive) => resolve({ rows: alive.map((pid) => ({ pid })) }) })
    })
  const client = { query, end: () => Promise.resolve() } as unknown as pg.Client
  const servers = { run: 'first', connect: async () => ({ client, run: 'first' }) } as unknown as Connector
  const nextQuestion = async (count: number) => {
    await expect.poll(() => questions).toHaveLength(count)
    return questions[count - 1] as (typeof questions)[number]
  }
  return { servers, nextQuestion }
}

it('a database session that is abandoned during a query keeps its place until a later query succeeds', async () => {
  const { servers, nextQuestion } = aServer()
  const sessions = watchAbandonedSessions(servers)
  onTestFinished(() => sessions.close())
  const ended: number[] = []
  const abandon = (process: number) => void sessions.end(admission(process)).then(() => ended.push(process))
  abandon(1)
  const first = await nextQuestion(1)
  abandon(2)
  first.answer([1])
  const second = await nextQuestion(2)
  expect(ended).toEqual([])
  expect(second.asked).toEqual([1, 2])
  second.answer([1])
  const third = await nextQuestion(3)
  expect(ended).toEqual([2])
  expect(third.asked).toEqual([1])
})
