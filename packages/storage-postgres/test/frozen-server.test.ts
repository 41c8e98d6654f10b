import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Unavailable } from '@countersign/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { freezePostgres } from '../../../tools/testing/freeze-postgres.ts'
import { type PostgresServer, startPostgres } from '../../../tools/testing/start-postgres.ts'
import { open } from './open-migrated.ts'

const given = async (): Promise<PostgresServer> => {
  const server = await startPostgres()
  onTestFinished(() => server.remove())
  return server
}

const freeze = async (server: PostgresServer): Promise<void> => {
  onTestFinished(await freezePostgres(server))
}

/** Sockets that this process has. */
const sockets = (): number => process.getActiveResourcesInfo().filter((resource) => resource === 'TCPSocketWrap').length

describe('a server that hangs, with every connection open', () => {
  it('does not keep a process whose storage was closed', async () => {
    const server = await given()
    const child = spawn(process.execPath, ['--conditions=@countersign/source', join(import.meta.dirname, 'close-when-told.ts')], {
      env: { DATABASE_URL: server.url },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [opened] = (await once(child.stdout, 'data')) as [Buffer]
    expect(String(opened)).toBe('open\n')
    await freeze(server)
    const toldAt = performance.now()
    child.stdin.write('close\n')
    const [code] = (await once(child, 'exit')) as [number | null]
    expect(code).toBe(0)
    // A second until it is hung up on, and what a busy machine takes.
    expect(performance.now() - toldAt).toBeLessThan(5000)
  })

  it('is hung up on where its connections are given up', async () => {
    const server = await given()
    const before = sockets()
    const storage = await open(server.url)
    await storage.migrate()
    await Promise.all(Array.from({ length: 10 }, () => storage.transaction((tx) => tx.users.byId(1))))
    expect(sockets()).toBe(before + 10)
    await freeze(server)
    await expect(storage.transaction((tx) => tx.users.byId(1))).rejects.toBeInstanceOf(Unavailable)
    await vi.waitFor(() => expect(sockets()).toBe(before), { timeout: 15_000 })
  })
})
