import { writeFileSync } from 'node:fs'
import type { Tables } from '@countersign/storage-sql'
import Sqlite from 'better-sqlite3'
import { type Kysely, sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryPath } from '../test/temporary-file.ts'
import { connectWriter } from './connect.ts'
import type { Disk } from './disk.ts'
import { groupCommit } from './writer.ts'

const given = async () => {
  const path = temporaryPath()
  writeFileSync(path, '')
  const connection = await connectWriter(path)
  onTestFinished(() => void connection.close())
  connection.exec('create table notes (text text primary key)')
  const reader = new Sqlite(path, { readonly: true })
  onTestFinished(() => void reader.close())
  const committed = () => reader.prepare('select text from notes order by rowid').pluck().all()
  return { path, connection, writer: groupCommit(connection, 'countersign_'), committed }
}

const note = (text: string) => (db: Kysely<Tables>) => sql`insert into notes values (${text})`.execute(db)

/** A writer whose disk needs this long for a flush, by its own word, and the groups that were flushed together. */
const onSlowDisk = async (waited: number, mostCompany?: number) => {
  const { connection, committed } = await given()
  const groups: unknown[][] = []
  let flushes = Promise.withResolvers<void>()
  const flush = (): void => {
    flushes.resolve()
    flushes = Promise.withResolvers()
  }
  const commit: Disk['commit'] = async (run) => {
    const before = committed()
    run()
    groups.push(committed().slice(before.length))
    await flushes.promise
    return waited
  }
  const disk = { commit, tend: async () => {}, close: async () => {} }
  const writer = groupCommit(connection, 'countersign_', undefined, disk, mostCompany)
  return { writer, groups, flush }
}

const aTurn = () => new Promise((resolve) => setImmediate(resolve))

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await aTurn()
}

/** Writes `a`, and `b` during its flush. Resolves when `a` has its answer, with what resolves when `b` has. */
const writeDuringFlush = async ({ writer, flush }: Awaited<ReturnType<typeof onSlowDisk>>) => {
  const first = writer.write(note('a'))
  await turns(3)
  const second = writer.write(note('b'))
  flush()
  await first
  return { second }
}

describe('group commit on a slow disk', () => {
  it('flushes who comes again after an answer together with those who came during the flush', async () => {
    // So long that a busy machine does not end the wait.
    const disk = await onSlowDisk(1_000_000, 50_000)
    const { writer, groups, flush } = disk
    const { second } = await writeDuringFlush(disk)
    await turns(3)
    const third = writer.write(note('c'))
    await turns(3)
    flush()
    await Promise.all([second, third])
    expect(groups).toStrictEqual([['a'], ['b', 'c']])
  })

  it('flushes those together who shared the last flush, even if nobody came during it', async () => {
    const { writer, groups, flush } = await onSlowDisk(1_000_000, 50_000)
    const first = ['a', 'b'].map((text) => writer.write(note(text)))
    await turns(3)
    flush()
    await Promise.all(first)
    const third = writer.write(note('c'))
    await turns(3)
    const fourth = writer.write(note('d'))
    await turns(3)
    flush()
    await Promise.all([third, fourth])
    expect(groups).toStrictEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
  })

  it('flushes those who came during the flush even if nobody comes again', async () => {
    const disk = await onSlowDisk(1000)
    const { groups, flush } = disk
    const { second } = await writeDuringFlush(disk)
    await expect.poll(() => groups).toStrictEqual([['a'], ['b']])
    flush()
    await second
  })

  it.each([
    { what: 'a single one was answered', waited: 1000, isAlone: true },
    { what: 'the flush was quick', waited: 1, isAlone: false },
  ])('waits for nobody if $what', async ({ waited, isAlone }) => {
    const { writer, groups, flush } = await onSlowDisk(waited)
    const first = writer.write(note('a'))
    await turns(3)
    const early = isAlone ? undefined : writer.write(note('b'))
    flush()
    await first
    const second = early ?? writer.write(note('b'))
    await turns(3)
    expect(groups).toStrictEqual([['a'], ['b']])
    flush()
    await second
  })
})

describe('group commit', () => {
  it('commits concurrent writes together', async () => {
    const { path, committed } = await given()
    const executed: unknown[] = []
    const connection = new Sqlite(path, { verbose: (text) => executed.push(text) })
    onTestFinished(() => void connection.close())
    const commits = () => executed.filter((text) => text === 'commit').length
    const { write, transaction } = groupCommit(connection, 'countersign_')
    await Promise.all([write(note('a')), transaction(note('b')), write(note('c'))])
    expect(committed()).toStrictEqual(['a', 'b', 'c'])
    expect(commits()).toBe(1)
    await write(note('d'))
    expect(commits()).toBe(2)
  })

  it('resolves no write before the commit', async () => {
    const { writer, committed } = await given()
    const seen: unknown[][] = []
    const noting = (text: string) => writer.write(note(text)).then(() => seen.push(committed()))
    await Promise.all(['a', 'b', 'c'].map(noting))
    expect(seen).toStrictEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ])
  })

  it('rolls back only the unit that fails', async () => {
    const { writer, committed } = await given()
    const failure = new Error('changed my mind')
    const outcomes = await Promise.allSettled([
      writer.transaction(note('before')),
      writer.transaction(async (db) => {
        await note('never')(db)
        await note('seen')(db)
        throw failure
      }),
      writer.transaction(async (db) => {
        await note('once')(db)
        await note('once')(db)
      }),
      writer.write(note('after')),
    ])
    expect(outcomes.map(({ status }) => status)).toStrictEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(outcomes[1]).toHaveProperty('reason', failure)
    expect(committed()).toStrictEqual(['before', 'after'])
  })

  it('rolls back a whole statement that fails on one of its rows', async () => {
    const { writer, committed } = await given()
    const many = writer.write((db) => sql`insert into notes values ('a'), ('b'), ('a')`.execute(db))
    const [failed, other] = await Promise.allSettled([many, writer.write(note('c'))])
    expect([failed.status, other.status]).toStrictEqual(['rejected', 'fulfilled'])
    expect(committed()).toStrictEqual(['c'])
  })

  it('runs units in order, and each sees the writes of those before it', async () => {
    const { writer } = await given()
    const count = (text: string) =>
      writer.transaction(async (db) => {
        await note(text)(db)
        const { rows } = await sql<{ n: number }>`select count(*) as n from notes`.execute(db)
        return rows[0]?.n
      })
    expect(await Promise.all(['a', 'b', 'c'].map(count))).toStrictEqual([1, 2, 3])
  })

  it('rejects every unit of a group whose commit fails, and continues', async () => {
    const { connection, writer, committed } = await given()
    connection.exec('create table owners (id integer primary key)')
    connection.exec('create table things (owner integer references owners (id) deferrable initially deferred)')
    const outcomes = await Promise.allSettled([
      writer.write(note('a')),
      writer.write((db) => sql`insert into things values (1)`.execute(db)),
      writer.transaction(note('b')),
    ])
    expect(outcomes).toMatchObject([1, 2, 3].map(() => ({ status: 'rejected', reason: { kind: 'unavailable' } })))
    expect(committed()).toStrictEqual([])
    await writer.write(note('c'))
    expect(committed()).toStrictEqual(['c'])
  })

  it('rejects every unit of a group that SQLite rolls back by itself, and continues', async () => {
    const { writer, committed } = await given()
    const outcomes = await Promise.allSettled([
      writer.write(note('a')),
      // Makes a transaction fail as on a full disk.
      writer.transaction((db) => sql`insert or rollback into notes values ('a')`.execute(db)),
      writer.write(note('b')),
    ])
    expect(outcomes).toMatchObject([1, 2, 3].map(() => ({ status: 'rejected', reason: { kind: 'unavailable' } })))
    expect(committed()).toStrictEqual([])
    await writer.write(note('c'))
    expect(committed()).toStrictEqual(['c'])
  })

  it('waits for another connection that writes, without blocking the process', async () => {
    const { path, writer, committed } = await given()
    const other = new Sqlite(path)
    onTestFinished(() => void other.close())
    other.exec('begin immediate')
    const waiting = Promise.all(['a', 'b'].map((text) => writer.write(note(text))))
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    other.exec(`insert into notes values ('of the other'); commit`)
    await waiting
    expect(committed()).toStrictEqual(['of the other', 'a', 'b'])
  })

  it('commits more units than fit in one group', async () => {
    const { writer, committed } = await given()
    const all = Promise.all(Array.from({ length: 1000 }, (_, index) => writer.write(note(`${index}`))))
    await writer.drain()
    expect(committed()).toHaveLength(1000)
    await all
    await expect(writer.drain()).resolves.toBeUndefined()
  })
})
