import { Unavailable } from '@countersign/core/storage'
import { aNewUser, failuresOf, noWaits, clockStart as now } from '@countersign/core/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startPostgres } from '../../../tools/testing/start-postgres.ts'
import { startTcpProxy } from '../../../tools/testing/tcp-proxy.ts'
import { openPostgres } from '../src/index.ts'
import { connect, newDatabase, open, openMigrated } from './open-migrated.ts'

const withParameters = (url: string, parameters: Readonly<Record<string, string>>): string => {
  const changed = new URL(url)
  for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value)
  return changed.href
}

describe('a database that cannot be opened', () => {
  it.each([
    ['nobody listens', 'postgres://ada:secret-word@127.0.0.1:9/countersign', ' 127.0.0.1:9/countersign cannot be opened: '],
    ['the URL is invalid', 'postgres://ada:secret-word@[/countersign', ' cannot be opened: '],
  ])('is reported in one line, without the password: %s', async (_, url, part) => {
    const error = await openPostgres({ url }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Unavailable)
    expect(String(error)).toContain(`The PostgreSQL database${part}`)
    expect(String(error)).not.toContain('\n')
    expect(String(error)).not.toContain('secret-word')
  })

  it('is named in the error when the server has no such database', async () => {
    const url = new URL(await newDatabase())
    url.pathname = '/missing'
    await expect(openPostgres({ url: url.href })).rejects.toThrow('/missing cannot be opened: database "missing" does not exist')
  })
})

describe('an unavailable database', () => {
  it('because the server is gone: requests fail, the process keeps running, and the storage recovers', async () => {
    const first = await startPostgres({ settings: { fsync: 'on', synchronous_commit: 'on' } })
    onTestFinished(() => first.remove())
    const storage = await open(first.url)
    await storage.migrate()
    const [user] = await storage.users.create([aNewUser()])
    let isOpen = false
    const interrupted = storage.transaction(async (tx) => {
      await tx.loginFailures.reserve('interrupted', noWaits, now)
      isOpen = true
      await first.stop('immediate')
      await tx.loginFailures.reserve('interrupted', noWaits, now)
    })
    await expect(interrupted).rejects.toBeInstanceOf(Unavailable)
    expect(isOpen).toBe(true)
    await expect(storage.users.byId(1)).rejects.toBeInstanceOf(Unavailable)
    await expect(storage.loginFailures.reserve('account', noWaits, now)).rejects.toBeInstanceOf(Unavailable)
    await expect(storage.ping()).rejects.toBeInstanceOf(Unavailable)

    const second = await startPostgres({ directory: first.directory, port: first.port })
    onTestFinished(() => second.stop())
    await expect(storage.ping()).resolves.toBeUndefined()
    expect(await storage.users.byId(user?.id ?? 0)).toStrictEqual(user)
    expect(await failuresOf(storage, 'interrupted')).toBeUndefined()
  })

  it('because connections are terminated: only interrupted work fails', async () => {
    const { url, storage } = await openMigrated()
    const client = await connect(url)
    const endOthers = () =>
      client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
    const interrupted = storage.transaction(async (tx) => {
      await tx.loginFailures.reserve('interrupted', noWaits, now)
      await endOthers()
      await tx.loginFailures.reserve('interrupted', noWaits, now)
    })
    await expect(interrupted).rejects.toBeInstanceOf(Unavailable)
    expect(await failuresOf(storage, 'interrupted')).toBeUndefined()
    await endOthers()
    await storage.ping()
    await storage.loginFailures.reserve('account', noWaits, now)
    expect(await failuresOf(storage, 'account')).toMatchObject({ count: 1 })
  })

  it('because the database is read-only: reads work, writes and pings fail', async () => {
    const { url, storage } = await openMigrated()
    const [user] = await storage.users.create([aNewUser()])
    const readOnly = await openPostgres({ url: withParameters(url, { options: '-c default_transaction_read_only=on' }) }).catch(
      (reason: unknown) => reason,
    )
    expect(String(readOnly)).toContain('can only be read')
    const client = await connect(url)
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await expect(storage.loginFailures.reserve('account', noWaits, now)).rejects.toBeInstanceOf(Unavailable)
    await expect(storage.ping()).rejects.toBeInstanceOf(Unavailable)
    expect(await storage.users.byId(user?.id ?? 0)).toStrictEqual(user)
  })

  it('because a row is locked for too long: the write fails', async () => {
    const { url, storage } = await openMigrated()
    const hasty = await open(withParameters(url, { statement_timeout: '100' }))
    await storage.loginFailures.reserve('held', noWaits, now)
    const client = await connect(url)
    await client.query('begin; select * from login_failures for update')
    await expect(hasty.loginFailures.reserve('held', noWaits, now)).rejects.toBeInstanceOf(Unavailable)
    await client.query('rollback')
    await hasty.loginFailures.reserve('held', noWaits, now)
    expect(await failuresOf(storage, 'held')).toMatchObject({ count: 2 })
  })

  it('because a table is locked for long: an import still waits for the lock', async () => {
    const { url, storage } = await openMigrated()
    const client = await connect(url)
    await client.query('begin; lock table expenses in exclusive mode')
    const importing = storage.projects.expenses.commitImport('nothing')
    expect(await storage.projects.expenses.sums('nobody')).toBeUndefined()
    // Longer than the time limit of a statement in a request.
    await client.query('select pg_sleep(4)')
    await client.query('commit')
    expect(await importing).toStrictEqual({ imported: 0, updated: 0 })
  })

  it('because the server is silent: the error has the code ETIMEDOUT', async () => {
    const url = new URL(await newDatabase())
    const proxy = await startTcpProxy(Number(url.port))
    onTestFinished(() => proxy.close())
    url.port = String(proxy.port)
    const storage = await open(url.href)
    await storage.migrate()
    // A connection that rested is probed before its use, and replaced if it is silent.
    await storage.ping()
    for (const connection of proxy.connections) connection.holdAnswers()
    await expect(storage.transaction((tx) => tx.loginFailures.reserve('account', noWaits, now))).rejects.toMatchObject({
      cause: { message: 'Query read timeout', code: 'ETIMEDOUT' },
    })
    proxy.holdNew(true)
    await expect(storage.ping()).rejects.toMatchObject({ cause: { code: 'ETIMEDOUT' } })
  })

  it('because the storage is closed: every request fails', async () => {
    const { storage } = await openMigrated()
    await storage.close()
    for (const use of [
      () => storage.users.byId(1),
      () => storage.loginFailures.reserve('account', noWaits, now),
      () => storage.transaction(async () => {}),
      () => storage.ping(),
      () => storage.migrate(),
    ]) {
      await expect(use()).rejects.toBeInstanceOf(Unavailable)
    }
    await expect(storage.close()).resolves.toBeUndefined()
  })
})
