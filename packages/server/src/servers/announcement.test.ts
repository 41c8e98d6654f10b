import { generateKeyRing, parseKeyRing, systemRandom } from '@countersign/core'
import { fakeClock, recordingLogger } from '@countersign/core/testing'
import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { expect, test } from 'vitest'
import { readConfig } from '../config/read-config.ts'
import { compareServers, createAnnouncement } from './announcement.ts'
import { settingsOf } from './settings.ts'

const keys = {
  jwtKeys: parseKeyRing(generateKeyRing(systemRandom)),
  encryptionKeys: parseKeyRing(generateKeyRing(systemRandom)),
}
const settings = (gates?: string) =>
  settingsOf(readConfig({ COUNTERSIGN_DATABASE_URL: 'sqlite:x.db', COUNTERSIGN_GATES: gates }), keys)

test('a starting server logs the settings in which it differs from a running server, ignoring stopped servers', async () => {
  const [storage, clock, logger] = [await createTestStorage(), fakeClock(), recordingLogger()]
  const first = createAnnouncement(storage, settings(), { clock, logger })
  await first.start()
  const second = createAnnouncement(storage, settings('user.grant:user_access'), { clock, logger })
  await second.start()
  const differ = { level: 'warn', event: 'servers_differ', fields: { differences: ['COUNTERSIGN_GATES'] } }
  expect(logger.entries).toEqual([differ])
  await second.stop()
  expect(await compareServers(storage, settings(), clock.now())).toEqual({ running: 1, differences: [] })
  await first.stop()
  expect(await compareServers(storage, settings(), clock.now())).toEqual({ running: 0, differences: [] })
})

test('a server that was killed is ignored a minute later, and the next server removes its record', async () => {
  const [storage, clock, logger] = [await createTestStorage(), fakeClock(), recordingLogger()]
  await storage.servers.announce(
    { id: 'killed', seenAt: clock.now(), settings: JSON.stringify(settings('user.grant:user_access')) },
    0,
  )
  expect(await compareServers(storage, settings(), clock.now())).toMatchObject({ running: 1 })
  clock.advance(60_000 + 1)
  expect(await compareServers(storage, settings(), clock.now())).toMatchObject({ running: 0 })
  const next = createAnnouncement(storage, settings(), { clock, logger })
  await next.start()
  expect(logger.entries).toEqual([])
  expect(await storage.servers.since(0)).toHaveLength(1)
  await next.stop()
})

test('a server starts even if the settings cannot be compared', async () => {
  const [storage, clock, logger] = [await createTestStorage(), fakeClock(), recordingLogger()]
  await storage.close()
  const announcement = createAnnouncement(storage, settings(), { clock, logger })
  await announcement.start()
  await announcement.stop()
  expect(logger.entries[0]).toMatchObject({ level: 'warn', event: 'servers_not_compared' })
})
