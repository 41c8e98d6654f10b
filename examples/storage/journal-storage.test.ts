import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { errors } from '@countersign/core'
import { aNewUser, aSession, clockStart, failuresOf, noWaits } from '@countersign/core/testing'
import { describeStorage } from '@countersign/core/testing/contract'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDatabaseDirectory } from '../../tools/testing/create-database-directory.ts'
import { createWorkplace, startExample } from '../testing/start-example.ts'
import { openJournalStorage } from './journal-storage.ts'

let directory: string
let path: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-journal-'))
  path = join(directory, 'journal')
})
afterEach(() => {
  rmSync(directory, { recursive: true })
})

const ofSuite = createDatabaseDirectory('countersign-journal-')
afterAll(() => rmSync(ofSuite, { recursive: true }))
describeStorage('a journal', () => openJournalStorage(join(ofSuite, 'journal')))

describe('a journal', () => {
  it('restores all successful changes when it is opened again, and none that failed', async () => {
    const before = await openJournalStorage(path)
    const [user] = await before.users.create([aNewUser()])
    const session = aSession({ userId: user?.id ?? 0 })
    const never = aNewUser()
    await before.transaction(async (tx) => {
      await tx.sessions.open(session)
      await tx.loginFailures.reserve('account', noWaits, clockStart)
    })
    const failing = before.transaction(async (tx) => {
      await tx.users.create([never])
      throw new Error('changed my mind')
    })
    await expect(failing).rejects.toThrow('changed my mind')
    await before.sweep(clockStart)
    await before.close()

    const after = await openJournalStorage(path)
    expect(await after.users.byId(user?.id ?? 0)).toStrictEqual(user)
    expect(await after.sessions.byId(session.id)).toStrictEqual(session)
    expect(await failuresOf(after, 'account')).toStrictEqual({ count: 1, lastAt: clockStart })
    expect(await after.users.byEmail(never.email)).toBeUndefined()
    await after.close()
  })

  it('loses no acknowledged change when the process is killed', async () => {
    const script = fileURLToPath(new URL('../testing/write-users.ts', import.meta.url))
    const writer = spawn(process.execPath, ['--conditions=@countersign/source', script, path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(writer, 'exit')
    const acknowledged: string[] = []
    for await (const email of createInterface({ input: writer.stdout })) {
      acknowledged.push(email)
      if (acknowledged.length === 20) writer.kill('SIGKILL')
    }
    await exited
    const { users, close } = await openJournalStorage(path)
    for (const email of acknowledged) expect(await users.byEmail(email)).toBeDefined()
    expect(acknowledged.length).toBeGreaterThanOrEqual(20)
    await close()
  })

  it('can be opened by one process at a time', async () => {
    const first = await openJournalStorage(path)
    await expect(openJournalStorage(path)).rejects.toThrow(errors.Unavailable)
    await first.close()
    await (await openJournalStorage(path)).close()
  })

  it('is unavailable after closing, and can be closed twice', async () => {
    const storage = await openJournalStorage(path)
    await storage.close()
    await storage.close()
    await expect(storage.ping()).rejects.toThrow(errors.Unavailable)
    await expect(storage.users.create([aNewUser()])).rejects.toThrow(errors.Unavailable)
  })

  it('serves a health check, and the server exits with 0', async () => {
    const { env, remove } = createWorkplace()
    const example = await startExample('storage/server.ts', { directory, env: { ...env, JOURNAL: path } })
    try {
      expect((await fetch(new URL('/health', example.url))).status).toBe(200)
      expect(await example.stop()).toBe(0)
    } finally {
      await example.stop()
      remove()
    }
  })
})
