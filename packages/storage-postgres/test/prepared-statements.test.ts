import { aConfirmation, aNewUser, aSession, failuresOf, noWaits, clockStart as now } from '@countersign/core/testing'
import type pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startTcpProxy } from '../../../tools/testing/tcp-proxy.ts'
import { connect, open, openMigrated } from './open-migrated.ts'

/** Creates a trigger that executes a statement on every write of login failures, in the session of that write. */
const onLoginFailure = async (client: pg.Client, statement: string): Promise<void> => {
  await client.query(`
    create table seen (prepared bigint not null, at bigserial);
    create function note() returns trigger language plpgsql as $$ begin ${statement}; return null; end $$;
    create trigger note after insert or update on login_failures for each row execute function note()`)
}

const NOTE_PREPARED = `insert into countersign.seen (prepared) select count(*) from pg_prepared_statements where name like 'prepared_%'`

/** Changes the process id that the server announces, as poolers do. */
const announcingAnother = (chunk: Buffer): Buffer => {
  const changed = Buffer.from(chunk)
  for (let at = 0; at + 9 <= changed.length; at += 1 + changed.readUInt32BE(at + 1)) {
    if (String.fromCharCode(changed.readUInt8(at)) === 'K') changed.writeInt32BE(changed.readInt32BE(at + 5) + 1, at + 5)
  }
  return changed
}

const given = async () => {
  const { url, storage } = await openMigrated()
  const [user] = await storage.users.create([aNewUser()])
  const session = aSession({ userId: user?.id ?? 0 })
  await storage.sessions.open(session)
  const client = await connect(url)
  const prepared = async (): Promise<readonly number[]> => {
    const { rows } = await client.query<{ prepared: string }>('select prepared from seen order by at')
    return rows.map((row) => Number(row.prepared))
  }
  return { url, client, session, prepared, single: await open(url, 1) }
}

describe('repeated statements', () => {
  it('are prepared once on a direct connection to the server', async () => {
    const { client, session, single, prepared } = await given()
    await onLoginFailure(client, NOTE_PREPARED)
    for (let time = 0; time < 3; time += 1) {
      await single.sessions.byId(session.id)
      await single.users.byId(session.userId)
      await single.loginFailures.reserve('account', noWaits, now)
    }
    expect(await prepared()).toStrictEqual([3, 3, 3])
  })

  it('are not prepared when a pooler may share the server session', async () => {
    const { url, client, session, prepared } = await given()
    await onLoginFailure(client, NOTE_PREPARED)
    const proxy = await startTcpProxy(Number(new URL(url).port), announcingAnother)
    onTestFinished(() => proxy.close())
    const pooled = await open(Object.assign(new URL(url), { port: String(proxy.port) }).href, 1)
    for (let time = 0; time < 3; time += 1) {
      expect(await pooled.sessions.byId(session.id)).toStrictEqual(session)
      expect(await pooled.confirmations.initiate(aConfirmation({ userId: session.userId }), 9)).toBe(true)
      await pooled.loginFailures.reserve('account', noWaits, now)
    }
    expect(await prepared()).toStrictEqual([0, 0, 0])
  })

  it.each(['statement', 'transaction'])(
    'are sent again, and executed once, when the server session lost its prepared statements: a %s',
    async (what) => {
      const { client, session, single } = await given()
      const rotate = (from: string, to: string) => {
        const rotation = {
          sessionId: session.id,
          fromTokenId: from,
          toTokenId: to,
          keyHash: null,
          expiresAt: session.refreshExpiresAt,
          now,
        }
        if (what === 'statement') return single.sessions.rotate(rotation)
        return single.transaction((tx) => tx.sessions.rotate(rotation))
      }
      expect(await rotate(session.refreshTokenId, 'second')).toBe(true)
      await onLoginFailure(client, 'deallocate all')
      await single.loginFailures.reserve('account', noWaits, now)
      expect(await rotate('second', 'third')).toBe(true)
      expect(await single.sessions.byId(session.id)).toMatchObject({
        refreshTokenId: 'third',
        previousRefreshTokenId: 'second',
      })
    },
  )

  it('are sent again when a table was altered', async () => {
    const { client, session, single } = await given()
    expect(await single.sessions.byId(session.id)).toStrictEqual(session)
    await client.query('alter table sessions alter column last_used_at type numeric')
    await client.query('alter table sessions alter column last_used_at type bigint, alter column rotated_at type integer using 1')
    expect(await single.sessions.byId(session.id)).toStrictEqual({ ...session, rotatedAt: 1 })
  })
})

describe('concurrent reads', () => {
  /** PostgreSQL refuses this text because of its NUL character. */
  const REFUSED = 'no\0text'

  it('are all answered, even five hundred of them', async () => {
    const { session, single } = await given()
    const ids = Array.from({ length: 500 }, (_, index) => (index % 3 === 0 ? session.id : `none-${index}`))
    const found = await Promise.all(ids.map((id) => single.sessions.byId(id)))
    expect(found.map((one) => one?.id)).toStrictEqual(ids.map((id) => (id === session.id ? id : undefined)))
  })

  it.each(['for the first time', 'again'])('fail individually and stay prepared: %s', async (when) => {
    const { client, session, single, prepared } = await given()
    if (when === 'again') await single.sessions.byId(session.id)
    const asked = [REFUSED, session.id, REFUSED, REFUSED, session.id, 'another']
    const answers = await Promise.allSettled(asked.map((id) => single.sessions.byId(id)))
    expect(answers.map((one) => (one.status === 'fulfilled' ? one.value?.id : 'refused'))).toStrictEqual([
      'refused',
      session.id,
      'refused',
      'refused',
      session.id,
      undefined,
    ])
    await onLoginFailure(client, NOTE_PREPARED)
    await single.loginFailures.reserve('account', noWaits, now)
    expect(await prepared()).toStrictEqual([2])
  })

  it('are all answered when their connection breaks', async () => {
    const { url, client, session } = await given()
    const single = await open(url, 1)
    await single.sessions.byId(session.id)
    await client.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name = 'countersign'`)
    const answers = await Promise.all(Array.from({ length: 20 }, () => single.sessions.byId(session.id)))
    expect(answers).toStrictEqual(answers.map(() => session))
  })
})

describe('a transaction of prepared statements', () => {
  /** Repeats each test, because the first run prepares the statements for the later ones. */
  const times = [1, 2, 3]

  it('is rolled back as a whole, including the first statement', async () => {
    const { session, single } = await given()
    const rotation = {
      sessionId: session.id,
      fromTokenId: session.refreshTokenId,
      toTokenId: 'next',
      keyHash: null,
      expiresAt: now + 1,
      now,
    }
    for (const time of times) {
      const undone = single.transaction(async (tx) => {
        expect(await tx.sessions.rotate(rotation)).toBe(true)
        throw new Error(`undone ${time}`)
      })
      await expect(undone).rejects.toThrow(`undone ${time}`)
      expect(await single.sessions.byId(session.id)).toStrictEqual(session)
    }
  })

  it('is rolled back when the first statement fails, and the connection stays usable', async () => {
    const { session, single } = await given()
    for (const time of times) {
      const failing = single.transaction(async (tx) => {
        await tx.sessions.open(session)
      })
      await expect(failing).rejects.toThrow('duplicate key')
      await single.transaction((tx) => tx.sessions.open({ ...session, id: `after-${time}` }))
      expect(await single.sessions.byId(`after-${time}`)).toBeDefined()
    }
  })

  it('rolls back statements that ran concurrently with a failing one', async () => {
    const { session, single } = await given()
    for (const time of times) {
      const failing = single.transaction(async (tx) => {
        await Promise.all([tx.sessions.open(session), tx.loginFailures.reserve(`beside-${time}`, noWaits, now)])
      })
      await expect(failing).rejects.toThrow('duplicate key')
      expect(await failuresOf(single, `beside-${time}`)).toBeUndefined()
    }
  })

  it('succeeds without any statement', async () => {
    const { session, single } = await given()
    expect(await single.transaction(async () => 'done')).toBe('done')
    expect(await single.sessions.byId(session.id)).toStrictEqual(session)
  })

  it('sees in each statement everything committed before it, at any default isolation level', async () => {
    const { url, client, session } = await given()
    await client.query(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_isolation = serializable`)
    const strict = await open(url, 1)
    for (const time of times) {
      await strict.transaction(async (tx) => {
        await tx.sessions.byId(session.id)
        await client.query('update sessions set last_used_at = $1', [time])
        expect(await tx.sessions.byId(session.id)).toMatchObject({ lastUsedAt: time })
      })
    }
  })
})
