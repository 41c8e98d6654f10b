import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createDatabaseDirectory } from '../../../tools/testing/create-database-directory.ts'
import { createMigratedPostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { startStopwatch } from '../../../tools/testing/stopwatch.ts'
import { openStorage } from '../src/open-storage.ts'
import { startRealServer } from '../src/testing/real-server.ts'
import { initiatePayment, signInWithDevice } from '../src/testing/sign-in.ts'
import { createTestApp } from '../src/testing/test-app.ts'

const migrate = async (url: string): Promise<void> => {
  const storage = await openStorage(url)
  await storage.migrate()
  await storage.close()
}

const openOwn = async (url: string) => {
  const storage = await openStorage(url)
  onTestFinished(() => storage.close())
  return storage
}

it.each([
  [
    'SQLite',
    async () => {
      const directory = createDatabaseDirectory('countersign-live-')
      onTestFinished(() => rm(directory, { recursive: true }))
      const url = `sqlite:${join(directory, 'test.db')}`
      await migrate(url)
      return url
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const { url, drop } = await createMigratedPostgresDatabase(migrate)
      onTestFinished(drop)
      return url
    },
  ],
])('a stream of one server on %s tells what another server did, and ends with a logout there', async (_, create) => {
  const url = await create()
  const one = await createTestApp({ storage: await openOwn(url) })
  const { jwtKeys, encryptionKeys, clock } = one
  const storage = await openOwn(url)
  const other = await createTestApp({ storage, jwtKeys, encryptionKeys, clock })
  const user = await signInWithDevice(one)
  // A change from before the feed listens is not sent; the client gets `read_again` instead.
  const hits = async () => {
    await other.call('internal.verify', { serviceName: 'billing' }, { token: user.token })
    return storage.statistics().sessionCache.hits
  }
  await expect.poll(hits).toBeGreaterThan(0)
  const server = await startRealServer(other)
  onTestFinished(() => server.close(0))
  const headers = { authorization: `Bearer ${user.token}` }
  const response = await fetch(`${server.url}/api/v1/auth/events`, { headers })
  let text = ''
  let hasEnded = false
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) text += decoder.decode(piece)
    hasEnded = true
  }
  read().catch(() => {})
  const { confirmationId } = await initiatePayment(one, user.token)
  const expectTold = (status: string) => expect.poll(() => text).toContain(`{"id":"${confirmationId}","status":"${status}"}`)
  await expectTold('pending')
  await one.call('confirmations.withdraw', { confirmationId }, { token: user.token })
  await expectTold('withdrawn')
  await one.call('auth.logout', { refreshToken: user.tokens.refreshToken }, { token: user.token })
  const time = startStopwatch()
  await expect.poll(() => hasEnded, { interval: 10 }).toBe(true)
  expect(time()).toBeLessThan(1000)
})
