import { type MigratedStorage, Unavailable, type User } from '@countersign/core/storage'
import {
  aChallenge,
  aConfirmation,
  aDevice,
  aNewUser,
  anEvidence,
  aPasskey,
  aServiceToken,
  aSession,
  clockStart as now,
} from '@countersign/core/testing'
import { createStorage, storedParts, tablesOf } from '@countersign/storage-sql'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Connection, connect } from '../src/connect.ts'
import { dialectFeatures } from '../src/dialect-features.ts'
import { sqliteEngine } from '../src/engine.ts'
import { openMigrated, TABLE_PREFIX } from './open-migrated.ts'
import { temporaryPath } from './temporary-file.ts'

/** Makes a statement of the connection fail like a disk error. */
const breakable = (connection: Connection) => {
  let left = Number.POSITIVE_INFINITY
  const prepare = connection.prepare.bind(connection) as (text: string) => Sqlite.Statement
  const tick = (): void => {
    left -= 1
    if (left === 0) throw new Sqlite.SqliteError('disk I/O error', 'SQLITE_IOERR')
  }
  connection.prepare = ((text: string) => {
    const statement = prepare(text)
    if (!/^(insert|update|delete|select|commit)/.test(text)) return statement
    for (const method of ['run', 'all'] as const) {
      const execute = statement[method].bind(statement) as (...parameters: unknown[]) => never
      statement[method] = (...parameters: unknown[]) => {
        tick()
        return execute(...parameters)
      }
    }
    return statement
  }) as Connection['prepare']
  /** Makes the n-th statement from now on fail. */
  const failNth = (count: number) => {
    left = count
  }
  return { failNth, hasFailed: () => left <= 0 }
}

const given = async () => {
  const path = temporaryPath()
  await openMigrated(path)
  const connections = await connect(path)
  const { failNth, hasFailed } = breakable(connections.writer)
  const storage = createStorage({
    engine: sqliteEngine(path, connections, TABLE_PREFIX, tablesOf(storedParts())),
    features: dialectFeatures(TABLE_PREFIX),
    parts: storedParts(),
  })
  onTestFinished(() => storage.close())
  const everything = () => {
    const tables = connections.reader.prepare(`select name from sqlite_schema where type = 'table'`).pluck().all() as string[]
    return tables.map((table) => [table, connections.reader.prepare(`select * from "${table}"`).all()])
  }
  const [user] = await storage.users.create([aNewUser()])
  if (user === undefined) throw new Error('the email is taken')
  return { storage, user, failNth, hasFailed, everything }
}

interface Given {
  readonly storage: MigratedStorage
  readonly user: User
}

const sessionOf = async ({ storage, user }: Given): Promise<string> => {
  const session = aSession({ userId: user.id })
  await storage.sessions.open(session)
  return session.id
}

const limit = { burst: 10, refillMs: 1, windowMax: 1, windowMs: 60_000 }

/** Each entry prepares a state, and returns the write during which statements fail. */
const writes: Record<string, (given: Given) => Promise<() => Promise<unknown>>> = {
  'users.create':
    async ({ storage }) =>
    () =>
      storage.users.create([aNewUser()]),
  'users.change':
    async ({ storage, user }) =>
    () =>
      storage.users.change(user.id, user.version, { disabledAt: now }, now),
  'sessions.open':
    async ({ storage, user }) =>
    () =>
      storage.sessions.open(aSession({ userId: user.id })),
  'sessions.end': async ({ storage, user }) => {
    const session = aSession({ userId: user.id })
    await storage.sessions.open(session)
    return () => storage.sessions.end(session.id, 'logout', now)
  },
  'sessions.endAll': async ({ storage, user }) => {
    await storage.sessions.open(aSession({ userId: user.id }))
    await storage.sessions.open(aSession({ userId: user.id }))
    return () => storage.sessions.endAll({ userId: user.id }, 'revoked', now)
  },
  'devices.register': async ({ storage, user }) => {
    const sessionId = await sessionOf({ storage, user })
    return () => storage.devices.register(aDevice({ userId: user.id }), sessionId, 20)
  },
  'passkeys.register': async ({ storage, user }) => {
    const sessionId = await sessionOf({ storage, user })
    return () => storage.passkeys.register(aPasskey({ userId: user.id }), sessionId, 20)
  },
  'passkeys.userHandle':
    async ({ storage, user }) =>
    () =>
      storage.passkeys.userHandle(user.id, 'handle'),
  'a login by a passkey': async ({ storage, user }) => {
    const passkey = aPasskey({ userId: user.id })
    await storage.passkeys.register(passkey, await sessionOf({ storage, user }), 20)
    const session = aSession({ userId: user.id, passkeyId: passkey.id })
    return () =>
      storage.transaction(async (tx) => {
        await tx.users.admit(user.id, user.version)
        await tx.passkeys.use({ userId: user.id, id: passkey.id, signCount: 1, backedUp: false, now })
        await tx.sessions.open(session)
      })
  },
  'challenges.consume': async ({ storage }) => {
    const challenge = aChallenge('device_login')
    await storage.challenges.issue(challenge)
    return () => storage.challenges.consume(challenge.id, 'device_login', null, now)
  },
  'confirmations.initiate':
    async ({ storage, user }) =>
    () =>
      storage.confirmations.initiate(aConfirmation({ userId: user.id }), 20),
  'approvals.settle': async ({ storage, user }) => {
    const confirmation = aConfirmation({ userId: user.id })
    await storage.confirmations.initiate(confirmation, 20)
    const of = { id: confirmation.id, userId: user.id, deviceId: null, rejectReason: null, now }
    return () => storage.approvals.settle({ ...of, outcome: 'rejected' })
  },
  'confirmations.approve': async ({ storage, user }) => {
    const [confirmation, device] = [aConfirmation({ userId: user.id }), aDevice({ userId: user.id })]
    const sessionId = await sessionOf({ storage, user })
    await storage.devices.register(device, sessionId, 20)
    await storage.confirmations.initiate(confirmation, 20)
    return () =>
      storage.confirmations.approve({
        id: confirmation.id,
        userId: user.id,
        deviceId: device.id,
        sessionId,
        evidence: anEvidence(),
        now,
      })
  },
  'serviceTokens.revoke': async ({ storage }) => {
    const token = aServiceToken()
    await storage.serviceTokens.add(token)
    return () => storage.serviceTokens.revoke(token.id, now)
  },
  'rateLimits.take, allowed':
    async ({ storage }) =>
    () =>
      storage.rateLimits.take('key', limit, now),
  'rateLimits.take, refused by the window': async ({ storage }) => {
    // Leaves a bucket with a far future time, as after a clock jump. It is removed before the window is read.
    await storage.rateLimits.take('key', { ...limit, refillMs: 1e12 }, now)
    return () => storage.rateLimits.take('key', limit, now)
  },
  'rateLimits.giveBack': async ({ storage }) => {
    await storage.rateLimits.take('key', limit, now)
    return () => storage.rateLimits.giveBack('key', limit, now)
  },
  'a transaction over several stores': async ({ storage, user }) => {
    const device = aDevice({ userId: user.id })
    await storage.devices.register(device, await sessionOf({ storage, user }), 20)
    await storage.sessions.open(aSession({ userId: user.id, deviceId: device.id }))
    return () =>
      storage.transaction(async (tx) => {
        await tx.devices.remove(user.id, device.id, now)
        await tx.sessions.endAll({ userId: user.id, deviceId: device.id }, 'device_removed', now)
      })
  },
}

describe('a write with a failing statement', () => {
  it.each(Object.entries(writes))('has no effect, and succeeds when repeated: %s', async (_, prepare) => {
    const { storage, user, failNth, hasFailed, everything } = await given()
    const write = await prepare({ storage, user })
    const before = everything()
    let failures = 0
    for (let nth = 1; ; nth += 1) {
      failNth(nth)
      const outcome = await write().catch((error: unknown) => error)
      if (!hasFailed()) {
        expect(outcome).not.toBeInstanceOf(Error)
        break
      }
      failures += 1
      expect(outcome).toBeInstanceOf(Unavailable)
      expect(everything()).toStrictEqual(before)
    }
    // At least the statement itself and the commit.
    expect(failures).toBeGreaterThanOrEqual(2)
  })
})
