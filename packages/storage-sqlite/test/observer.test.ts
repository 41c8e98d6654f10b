import { AsyncLocalStorage } from 'node:async_hooks'
import type { ObservedStatement } from '@countersign/core'
import { aNewUser } from '@countersign/core/testing'
import Sqlite from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { openSqlite } from '../src/index.ts'
import { temporaryPath } from './temporary-file.ts'

const given = async () => {
  const path = temporaryPath()
  const context = new AsyncLocalStorage<string>()
  const told: (ObservedStatement & { readonly in: string | undefined })[] = []
  const observer = {
    inContext: true,
    statement: (statement: ObservedStatement) => void told.push({ ...statement, in: context.getStore() }),
  }
  const storage = await openSqlite({ path, observer })
  onTestFinished(() => storage.close())
  await storage.migrate()
  told.length = 0
  const statementsIn = (name: string) => told.filter((one) => one.in === name).map(({ text }) => text.split(' ')[0])
  return { path, storage, told, context, statementsIn }
}

it('the observer is called with a read, in the context of its caller, without values', async () => {
  const { storage, told, context } = await given()
  await context.run('reader', () => storage.users.byEmail('secret@example.test'))
  expect(told).toEqual([
    { system: 'sqlite', text: expect.stringMatching(/^select /), milliseconds: expect.any(Number), in: 'reader' },
  ])
  expect(JSON.stringify(told)).not.toContain('secret@')
})

it('the observer is called with writes that share a commit, each in the context of its caller', async () => {
  const { storage, context, told, statementsIn } = await given()
  const names = ['one', 'two', 'three']
  await Promise.all(names.map((name) => context.run(name, () => storage.users.create([aNewUser()]))))
  for (const name of names) expect(statementsIn(name)).toContain('insert')
  expect(told.filter(({ text }) => text === 'commit')).toHaveLength(1)
})

it('the observer is called with a statement that failed', async () => {
  const { path, storage, told } = await given()
  const other = new Sqlite(path)
  other.exec('alter table countersign_users rename to gone')
  other.close()
  await expect(storage.users.byEmail('a@example.test')).rejects.toThrow()
  expect(told.at(-1)?.error).toBeInstanceOf(Error)
})

it('the statistics count the hits of the session cache, and have no numbers of connections', async () => {
  const { storage } = await given()
  await storage.sessions.status('none')
  expect(storage.statistics()).toEqual({ sessionCache: { hits: 0, misses: 1 } })
})
