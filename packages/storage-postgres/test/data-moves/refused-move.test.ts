import {
  DataMoveDiffers,
  DataMoveRefused,
  DataMoveUnfinished,
  type DataSource,
  type MigratedStorage,
} from '@countersign/core/storage'
import { aNewUser } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import { connect, open } from '../open-migrated.ts'
import { addLimits, newSqlite, newTarget } from './open-databases.ts'

const failureOf = (target: MigratedStorage, source: DataSource): Promise<unknown> =>
  target.takeOver(source).catch((error: unknown) => error)

const expectRefused = async (target: MigratedStorage, source: DataSource, message: RegExp) => {
  const failure = await failureOf(target, source)
  expect(failure).toBeInstanceOf(DataMoveRefused)
  expect(failure).toHaveProperty('message', expect.stringMatching(message))
}

describe('a data move is refused', () => {
  it('when the target contains other data', async () => {
    const { storage: source } = await newSqlite()
    await source.users.create(aNewUser())
    const { target } = await newTarget()
    await target.migrate()
    await target.users.create(aNewUser())
    await expectRefused(target, source, /^The target holds other data already \(users\)/)
    expect(await target.users.list({ afterId: 0, limit: 10 })).toHaveLength(1)
  })

  it('when a product schema of the target was changed', async () => {
    const { storage: source } = await newSqlite()
    const { target } = await newTarget()
    await target.migrate()
    const [schema] = (await target.projects.productSchemas.registry()).schemas
    await target.projects.productSchemas.setActive(schema?.key ?? '', false)
    await expectRefused(target, source, /product_schemas/)
  })

  it('when the source has pending migrations or no schema', async () => {
    const { target } = await newTarget()
    const { storage: empty } = await newSqlite(false)
    await expectRefused(target, empty, /^The source has pending migrations \(0001-identity, /)
    expect(await target.migrationStatus()).toHaveProperty('applied', [])
  })

  it('when the source belongs to a newer version', async () => {
    const { storage: source, file } = await newSqlite()
    file.exec(`insert into countersign_kysely_migration values ('9999-of-a-newer-program', '2030-01-01T00:00:00.000Z')`)
    const { target } = await newTarget()
    await expectRefused(target, source, /^The source belongs to a newer version \(9999-of-a-newer-program\)/)
    expect(await target.migrationStatus()).toHaveProperty('applied', [])
  })

  it('when the source is itself an unfinished target', async () => {
    const { storage: source, file } = await newSqlite()
    file.exec('create table countersign_data_move (table_name text primary key, last_key text, rows bigint, digest text)')
    const { target } = await newTarget()
    expect(await failureOf(target, source)).toBeInstanceOf(DataMoveUnfinished)
  })

  it('when source and target are the same database under different URLs', async () => {
    const { url, target } = await newTarget()
    await target.migrate()
    await target.users.create(aNewUser())
    const parameters = new URLSearchParams({ application_name: 'another', options: '-c TimeZone=Asia/Kathmandu' })
    const { host } = new URL(url)
    for (const same of [url, `${url}?${parameters}`, url.replace(host, `${host},${host}`)]) {
      await expectRefused(target, await open(same), /^Both databases are the same$/)
    }
  })

  it.each([
    [
      'a NUL character',
      `update countersign_users set name = 'a' || char(0) || 'b'`,
      /^A row of users has in name a NUL character/,
    ],
    ['bytes', `update countersign_users set name = x'00ff'`, /^A row of users has in name what is no text/],
    [
      'a text for a number',
      `update countersign_users set created_at = 'then'`,
      /^A row of users has in created_at what is no integer/,
    ],
  ])('when the target cannot store a row of the source: %s', async (_, spoil, message) => {
    const { storage: source, file } = await newSqlite()
    await source.users.create(aNewUser())
    file.exec(spoil)
    const { target } = await newTarget()
    await expectRefused(target, source, message)
  })
})

describe('a data move that differs from its source', () => {
  const given = async () => {
    const source = await newSqlite()
    addLimits(source, 300)
    await source.storage.users.create(aNewUser({ name: 'Ada' }))
    return { source, ...(await newTarget()) }
  }

  it.each([
    ['changed', `update users set name = 'Eve'`, ['users']],
    ['missing', `delete from rate_limit_states where key = 'key-77'`, ['rate_limit_states']],
    ['too many', `insert into login_failures values ('eve', 1, 1)`, ['login_failures']],
    [
      'exchanged',
      `update rate_limit_states set full_at = case key when 'key-1' then 2000 else 1000 end where key in ('key-1', 'key-2')`,
      ['rate_limit_states'],
    ],
  ])('is detected when rows of the target are %s', async (_, tamper, tables) => {
    const { source, url, target } = await given()
    const client = await connect(url)
    let snapshots = 0
    const tampering: DataSource = {
      // Changes the target between the copy and the comparison. Each of them opens one snapshot.
      snapshot: async (work) => {
        snapshots += 1
        if (snapshots === 2) await client.query(tamper)
        return source.storage.snapshot(work)
      },
    }
    const failure = await failureOf(target, tampering)
    expect(failure).toBeInstanceOf(DataMoveDiffers)
    expect(failure).toHaveProperty('tables', tables)
    // Running the move again does not hide the difference.
    expect(await failureOf(target, source.storage)).toHaveProperty('tables', tables)
  })

  it('is detected when the source is written to during the copy, and succeeds when run again', async () => {
    const { source, target } = await given()
    const written: DataSource = {
      snapshot: async (work) => {
        const result = await source.storage.snapshot(work)
        await source.storage.users.create(aNewUser({ name: 'Grace' }))
        return result
      },
    }
    const failure = await failureOf(target, written)
    expect(failure).toBeInstanceOf(DataMoveDiffers)
    expect(failure).toHaveProperty('message', expect.stringMatching(/^The source was written to while it was copied \(users\)/))

    await target.takeOver(source.storage)
    expect((await target.users.list({ afterId: 0, limit: 10 })).length).toBeGreaterThan(1)
  })
})
