import { DataMoveDiffers, DataMoveRefused, type DataSource, type MigratedStorage } from '@countersign/core/storage'
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
    await source.users.create([aNewUser()])
    const { target } = await newTarget()
    await target.migrate()
    await target.users.create([aNewUser({ permissions: [] })])
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
    file.exec(
      `insert into countersign_migrations_identity (name, timestamp) values ('9999-of-a-newer-program', '2030-01-01T00:00:00.000Z')`,
    )
    const { target } = await newTarget()
    await expectRefused(target, source, /^The source belongs to a newer version \(9999-of-a-newer-program\)/)
    expect(await target.migrationStatus()).toHaveProperty('applied', [])
  })

  it('when source and target are the same database under different URLs', async () => {
    const { url, target } = await newTarget()
    await target.migrate()
    await target.users.create([aNewUser({ permissions: [] })])
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
    await source.users.create([aNewUser()])
    file.exec(spoil)
    const { target } = await newTarget()
    await expectRefused(target, source, message)
  })
})

describe('a data move that differs from its source', () => {
  const given = async () => {
    const source = await newSqlite()
    addLimits(source, 300)
    await source.storage.users.create([aNewUser({ name: 'Ada' })])
    return { source, ...(await newTarget()) }
  }

  it.each([
    ['changed', 'users', `new.name := 'Eve'; return new;`, ['users']],
    ['missing', 'rate_limit_states', `if new.key = 'key-77' then return null; end if; return new;`, ['rate_limit_states']],
    ['too many', 'users', `insert into countersign.login_failures values ('eve', 1, 1); return new;`, ['login_failures']],
  ])('is detected when a trigger of the host makes rows of the target %s', async (_, table, body, tables) => {
    const { source, url, target } = await given()
    await target.migrate()
    const client = await connect(url)
    await client.query(`create function spoil() returns trigger language plpgsql as $$ begin ${body} end $$`)
    await client.query(`create trigger spoil before insert on ${table} for each row execute function spoil()`)
    const failure = await failureOf(target, source.storage)
    expect(failure).toBeInstanceOf(DataMoveDiffers)
    expect(failure).toHaveProperty('tables', tables)
    expect(await target.users.list({ afterId: 0, limit: 10 })).toStrictEqual([])
  })

  it('is detected if the source changes during the copy; the move succeeds when it is run again', async () => {
    const { source, target } = await given()
    const written: DataSource = {
      snapshot: async (work) => {
        const result = await source.storage.snapshot(work)
        await source.storage.users.create([aNewUser({ name: 'Grace', permissions: [] })])
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
