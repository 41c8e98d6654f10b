import { aNewUser, aSession, clockStart as now } from '@countersign/core/testing'
import { expect, it, onTestFinished } from 'vitest'
import { startPostgres } from '../../../tools/testing/start-postgres.ts'
import { promote, STANDBY, startStandby } from '../../../tools/testing/start-standby.ts'
import { openPostgres } from '../src/index.ts'
import { open } from './open-migrated.ts'

it('the writable server among several is used, also after a failover', async () => {
  const primary = await startPostgres({ settings: { synchronous_commit: 'on', synchronous_standby_names: STANDBY } })
  onTestFinished(() => primary.remove())
  const standby = await startStandby(primary, {})
  onTestFinished(() => standby.remove())
  const urlOf = (...servers: readonly { readonly port: number }[]) =>
    `postgres://postgres@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`

  const storage = await open(urlOf({ port: 9 }, standby, primary))
  await storage.migrate()
  const [user] = await storage.users.create([aNewUser()])
  const session = aSession({ userId: user?.id ?? 0 })
  await storage.sessions.open(session)
  expect(await storage.sessions.status(session.id)).toBeDefined()
  await expect(openPostgres({ url: urlOf(standby) })).rejects.toThrow('The database can only be read')
  await expect(openPostgres({ url: `${urlOf(standby)}?target_session_attrs=read-write` })).rejects.toThrow(
    'the server is not read-write',
  )

  await primary.stop('immediate')
  await expect(storage.ping()).rejects.toThrow()
  await promote(standby)
  await expect.poll(() => storage.ping()).toBeUndefined()
  expect(await storage.sessions.status(session.id)).toMatchObject({ userId: user?.id })
  await storage.sessions.end(session.id, 'logout', now)
  expect(await storage.sessions.status(session.id)).toBeUndefined()
})
