import { Unavailable } from '@countersign/core/storage'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startPostgres } from '../../../tools/testing/start-postgres.ts'
import { createNumbered, givenOwners, totalOf } from './given-owners.ts'
import { open } from './open-migrated.ts'

vi.setConfig({ testTimeout: 120_000 })

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
const CRASHES = 3
const AT_ONCE = 12

it('a crash of PostgreSQL loses no acknowledged project, and no number is given twice', async () => {
  let server = await startPostgres({ settings: DURABLE })
  onTestFinished(() => server.remove())
  const storage = await open(server.url)
  await storage.migrate()
  const owners = await givenOwners(storage)
  const acknowledged: string[] = []
  let unanswered = 0

  const createUntilTheCrash = async (): Promise<void> => {
    for (;;) {
      try {
        const code = await createNumbered(storage, owners)
        if (code === undefined) throw new Error('A number was given twice')
        acknowledged.push(code)
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error
        unanswered += 1
        return
      }
    }
  }

  for (let crash = 0; crash < CRASHES; crash += 1) {
    const creating = Promise.all(Array.from({ length: AT_ONCE }, createUntilTheCrash))
    // Each crash comes while creations go on, however slow the disk is.
    const before = acknowledged.length
    await expect.poll(() => acknowledged.length, { interval: 5 }).toBeGreaterThan(before + AT_ONCE)
    await server.stop('immediate')
    await creating
    const { directory, port } = server
    server = await startPostgres({ directory, port, settings: DURABLE })
    await expect.poll(() => storage.ping()).toBeUndefined()
  }

  expect(acknowledged.length).toBeGreaterThan(CRASHES * AT_ONCE)
  expect(new Set(acknowledged).size).toBe(acknowledged.length)
  for (const code of acknowledged) expect(await storage.projects.projects.byCode(code)).toBeDefined()
  const total = await totalOf(storage)
  expect(total).toBeGreaterThanOrEqual(acknowledged.length)
  expect(total).toBeLessThanOrEqual(acknowledged.length + unanswered)
  expect(await createNumbered(storage, owners)).toBeDefined()
})
