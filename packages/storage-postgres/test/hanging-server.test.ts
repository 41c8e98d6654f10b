import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Unavailable } from '@countersign/core/storage'
import { failuresOf, noWaits, clockStart as now } from '@countersign/core/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freezePostgres } from '../../../tools/testing/freeze-postgres.ts'
import { type PostgresServer, startPostgres } from '../../../tools/testing/start-postgres.ts'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { connect, open, openMigrated } from './open-migrated.ts'

const given = async (): Promise<PostgresServer> => {
  const server = await startPostgres()
  onTestFinished(() => server.remove())
  return server
}

const freeze = async (server: PostgresServer): Promise<void> => {
  onTestFinished(await freezePostgres(server))
}

/** Returns the number of open sockets of this process. */
const sockets = (): number => process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length

/** The number of connections of a pool of ten that transactions may use. */
const WRITING = 8

/** The number of connections that stay open in a quiet pool. */
const KEPT = 2

/** The one connection that asks whether the server has ended the session of an unanswered statement. */
const ASKING = 1

/** Milliseconds. */
const LONGEST_REFUSAL = 5000

/** Returns after how many milliseconds a call is refused. */
const refusal = async (ask: () => Promise<unknown>): Promise<number> => {
  const time = startStopwatch()
  await expect(ask()).rejects.toBeInstanceOf(Unavailable)
  return time()
}

describe('a hanging server with every connection open', () => {
  it('does not keep a process alive after its storage was closed', async () => {
    const server = await given()
    const child = spawn(process.execPath, ['--conditions=@countersign/source', join(import.meta.dirname, 'close-on-input.ts')], {
      env: { DATABASE_URL: server.url },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [opened] = (await once(child.stdout, 'data')) as [Buffer]
    expect(String(opened)).toBe('open\n')
    await freeze(server)
    const time = startStopwatch()
    child.stdin.write('close\n')
    const [code] = (await once(child, 'exit')) as [number | null]
    expect(code).toBe(0)
    // One second until the sockets are destroyed, plus reserve for a busy machine.
    expect(time()).toBeLessThan(5000)
  })

  it('makes every request fail within five seconds, whenever the request arrives', async () => {
    const server = await given()
    const storage = await open(server.url)
    await storage.migrate()
    const ask = (index: number) =>
      index % 2 === 0 ? failuresOf(storage, 'account') : storage.transaction((tx) => failuresOf(tx, 'account'))
    await Promise.all(Array.from({ length: 40 }, (_, index) => ask(index)))
    await freeze(server)
    const crowds = Array.from({ length: 12 }, async (_, crowd) => {
      await pause(500 * crowd)
      return Promise.all(Array.from({ length: 10 }, (_, index) => refusal(() => ask(index))))
    })
    const longest = Math.max(...(await Promise.all(crowds)).flat())
    expect(longest).toBeLessThan(LONGEST_REFUSAL)
  })

  it('is disconnected when an idle pool closes its connections', async () => {
    const server = await given()
    const before = sockets()
    const storage = await open(server.url)
    await storage.migrate()
    await Promise.all(Array.from({ length: WRITING }, () => storage.transaction((tx) => tx.users.byId(1))))
    expect(sockets()).toBe(before + WRITING)
    await freeze(server)
    await expect(storage.transaction((tx) => tx.users.byId(1))).rejects.toBeInstanceOf(Unavailable)
    await expect.poll(() => sockets() - before).toBeLessThanOrEqual(KEPT + ASKING)
  })
})

describe('a table locked by another transaction', () => {
  it('makes many reads, writes and transactions fail within five seconds', async () => {
    const { url, storage } = await openMigrated()
    const kinds: readonly (() => Promise<unknown>)[] = [
      () => failuresOf(storage, 'account'),
      () => storage.loginFailures.reserve('account', noWaits, now),
      () => storage.transaction((tx) => tx.loginFailures.reserve('account', noWaits, now)),
    ]
    const ask = (index: number) => (kinds[index % kinds.length] as (typeof kinds)[number])()
    await Promise.all(Array.from({ length: 60 }, (_, index) => ask(index)))
    const client = await connect(url)
    await client.query('begin; lock table login_failures in access exclusive mode')
    const crowds = Array.from({ length: 4 }, async (_, crowd) => {
      await pause(800 * crowd)
      return Promise.all(Array.from({ length: 60 }, (_each, index) => refusal(() => ask(index))))
    })
    const longest = Math.max(...(await Promise.all(crowds)).flat())
    expect(longest).toBeLessThan(LONGEST_REFUSAL)
    await client.query('rollback')
    for (const again of kinds) await again()
  })

  it('makes batched writes fail together within five seconds', async () => {
    const { url, storage } = await openMigrated()
    const rotate = () =>
      storage.sessions.rotate({
        sessionId: randomUUID(),
        fromTokenId: 'one',
        toTokenId: 'other',
        keyHash: null,
        expiresAt: now,
        now,
      })
    const client = await connect(url)
    await client.query('begin; lock table sessions in access exclusive mode')
    const longest = Math.max(...(await Promise.all(Array.from({ length: 40 }, () => refusal(rotate)))))
    expect(longest).toBeLessThan(LONGEST_REFUSAL)
  })
})
