import { aChallenge, aNewUser, aSession, noWaits, clockStart as now } from '@countersign/core/testing'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openMigrated } from './open-migrated.ts'
import { temporaryPath } from './temporary-file.ts'

const hour = 3_600_000

describe('the sweep', () => {
  it('lets other work run between its steps', async () => {
    const storage = await openMigrated()
    await storage.transaction(async (tx) => {
      for (let index = 0; index < 2500; index += 1) await tx.challenges.issue(aChallenge('device_login'))
    })
    let isSwept = false
    const sweeping = storage.sweep(now + hour).then((swept) => {
      isSwept = true
      return swept
    })
    await storage.loginFailures.reserve('in between', noWaits, now)
    expect(isSwept).toBe(false)
    expect(await sweeping).toEqual({ challenges: 2500 })
  })

  it('deletes change records after an hour, except the newest', async () => {
    const path = temporaryPath()
    const storage = await openMigrated(path)
    const connection = new Sqlite(path)
    onTestFinished(() => void connection.close())
    const changes = () => connection.prepare('select at from countersign_changes order by seq').pluck().all()
    const insert = connection.prepare(`insert into countersign_changes (kind, subject, at) values ('session', 'id', ?)`)
    for (const at of [now - hour - 1, now - hour, now]) insert.run(at)
    expect(await storage.sweep(now)).toEqual({ changes: 1 })
    expect(changes()).toStrictEqual([now - hour, now])
    expect(await storage.sweep(now + 10 * hour)).toEqual({ changes: 1 })
    expect(changes()).toStrictEqual([now])
  })

  it('records the deletion only of sessions that a token may still name', async () => {
    const path = temporaryPath()
    const storage = await openMigrated(path)
    const connection = new Sqlite(path)
    onTestFinished(() => void connection.close())
    const announced = () =>
      connection.prepare(`select subject from countersign_changes where kind = 'session' order by seq`).pluck().all()
    const [user] = await storage.users.create([aNewUser()])
    const open = async (rotatedAt: number) => {
      const session = aSession({ userId: user?.id ?? 0, createdAt: rotatedAt, rotatedAt, refreshExpiresAt: rotatedAt + hour })
      await storage.sessions.open(session)
      return session.id
    }
    const [, recent] = [await open(now), await open(now + 1)]
    const sweptAt = now + 48 * hour
    expect(await storage.sweep(sweptAt, { liveTokensSince: now + 1 })).toEqual({ sessions: 2, changes: 2 })
    expect(announced()).toEqual([recent])
    const [one] = [await open(now)]
    expect(await storage.sweep(sweptAt)).toMatchObject({ sessions: 1 })
    expect(announced()).toContain(one)
  })

  it('deletes a rate limit some time after it has lost its effect', async () => {
    const path = temporaryPath()
    const storage = await openMigrated(path)
    const connection = new Sqlite(path)
    onTestFinished(() => void connection.close())
    const kept = () => connection.prepare('select key from countersign_rate_limit_states').pluck().all()
    const limit = { burst: 1000, refillMs: 1, windowMax: 1000, windowMs: hour }
    await Promise.all(Array.from({ length: 700 }, () => storage.rateLimits.take('idle', limit, now)))
    await storage.rateLimits.take('busy', limit, now + 3 * hour)
    expect(await storage.sweep(now + 3 * hour)).toEqual({})
    expect(await storage.sweep(now + 3 * hour + 1)).toEqual({ rateLimits: 1 })
    expect(kept()).toStrictEqual(['busy'])
  })

  it('keeps a session until its last access token has expired', async () => {
    const storage = await openMigrated()
    const [user] = await storage.users.create([
      {
        directoryId: null,
        email: 'ada@example.test',
        name: '',
        employee: { id: '', name: '', avatarFileId: '' },
        department: { id: '', name: '' },
        permissions: [],
        passwordHash: null,
        createdAt: now,
      },
    ])
    const session = aSession({ userId: user?.id ?? 0, refreshExpiresAt: now + 1000 })
    await storage.sessions.open(session)
    await storage.sweep(now + 8 * hour)
    expect(await storage.sessions.status(session.id)).toBeDefined()
    await storage.sweep(now + 25 * hour)
    expect(await storage.sessions.status(session.id)).toBeUndefined()
  })
})
