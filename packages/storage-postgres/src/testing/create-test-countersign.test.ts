import { spawnSync } from 'node:child_process'
import { createCountersign } from '@countersign/core'
import { memoryDirectory, signInDeviceUserByHost, signInNewDeviceUser, validPayloads } from '@countersign/core/testing'
import pg from 'pg'
import { beforeEach, describe, expect, expectTypeOf, inject, it, onTestFinished, vi } from 'vitest'
import { openPool } from '../../../../tools/testing/open-pool.ts'
import { createTestCountersign, createTestStorage, type TestCountersignOverrides } from './index.ts'

const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const

beforeEach(() => {
  vi.stubEnv('TEST_POSTGRES_URL', inject('postgresUrl'))
})

/** A host with a table of bookings in the database of Countersign. */
const openHost = async (overrides: Pick<TestCountersignOverrides, 'users'> = {}) => {
  const test = await createTestCountersign({ ...overrides, parts: ['identity', 'approvals'] })
  onTestFinished(() => test.storage.close())
  const pool = openPool({ connectionString: test.storage.url, max: 10 })
  await pool.query('create table bookings (id integer primary key, confirmation_id text not null)')
  const book = async (use: { readonly confirmationId: string; readonly userId: number }, id: number) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('insert into bookings values ($1, $2)', [id, use.confirmationId])
      await test.countersign.confirmations.consume({ ...use, ...action, consumedBy: `booking ${id}` }, { client })
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  }
  return {
    test,
    pool,
    book,
    bookings: async () => (await pool.query('select id, confirmation_id from bookings')).rows as unknown[],
  }
}

type Approver = Awaited<ReturnType<typeof signInDeviceUserByHost>>

const approve = async ({ test }: Awaited<ReturnType<typeof openHost>>, { web, mobile, device, signer }: Approver) => {
  const { confirmations } = test.countersign
  const { id, challenge } = await confirmations.initiate({ caller: web.caller, ...action })
  const signedChallenge = signer.sign(challenge)
  await confirmations.approve({ caller: mobile.caller, confirmationId: id, deviceId: device.id, signedChallenge })
  return { confirmationId: id, userId: web.caller.userId }
}

describe('a countersign for a test on PostgreSQL', () => {
  it('lets one of 50 bookings at the same time use an approval, in the transaction of the host', async () => {
    const host = await openHost()
    const use = await approve(host, await signInNewDeviceUser(host.test))
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, id) => host.book(use, id)))
    const won = outcomes.flatMap(({ status }, id) => (status === 'fulfilled' ? [id] : []))
    expect(await host.bookings()).toStrictEqual(won.map((id) => ({ id, confirmation_id: use.confirmationId })))
    expect(won).toHaveLength(1)
  })

  it('serves users of a directory whom the host signs in itself', async () => {
    const users = memoryDirectory()
    const directoryId = await users.add({ email: 'grace@example.test', passwordHash: null, disabled: false })
    const host = await openHost({ users })
    const approver = await signInDeviceUserByHost(host.test, { directoryId })
    expect(approver.mobile.caller).toMatchObject({ directoryId, trustLevel: 'high' })
    await host.book(await approve(host, approver), 1)
    expect(await host.bookings()).toHaveLength(1)
  })

  it('has the parts that are asked for, in its types too', async () => {
    const { countersign, storage } = await createTestCountersign({ parts: ['identity'] })
    onTestFinished(() => storage.close())
    expect([...countersign.parts]).toStrictEqual(['identity'])
    expectTypeOf(countersign).not.toHaveProperty('confirmations')
    expectTypeOf(createCountersign<'identity'>).returns.toEqualTypeOf(countersign)
  })
})

describe('a PostgreSQL database for one test', () => {
  it('shares nothing with another database, and is removed when it is closed', async () => {
    const [one, other] = await Promise.all([createTestStorage(), createTestStorage()])
    const { countersign } = await createTestCountersign({ storage: one })
    await countersign.users.create({ email: 'ada@example.test' })
    expect(await one.users.byEmail('ada@example.test')).toBeDefined()
    expect(await other.users.byEmail('ada@example.test')).toBeUndefined()
    for (const storage of [one, other]) {
      await storage.close()
      await expect(new pg.Client({ connectionString: storage.url }).connect()).rejects.toMatchObject({ code: '3D000' })
    }
  })
})

/** Runs a script in a process of its own that has neither vitest nor fast-check nor a server. */
const runAlone = (script: string) => {
  const entry = JSON.stringify(new URL('./index.ts', import.meta.url).href)
  const source = `
    import { registerHooks } from 'node:module'
    registerHooks({
      resolve: (specifier, context, next) => {
        if (/^(vitest|fast-check)($|\\/)/.test(specifier)) throw new Error(specifier + ' is not installed')
        return next(specifier, context)
      },
    })
    const { createTestStorage } = await import(${entry})
    ${script}`
  const args = ['--conditions=@countersign/source', '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', source]
  const { TEST_POSTGRES_URL: _, ...env } = process.env
  return spawnSync(process.execPath, args, { encoding: 'utf8', env, timeout: 60_000 })
}

describe('a process without TEST_POSTGRES_URL', () => {
  it('starts a server of its own, which does not keep the process alive and ends with the process', async () => {
    const { status, stdout, stderr } = runAlone(`
      const storage = await createTestStorage()
      await storage.ping()
      await storage.close()
      console.log(storage.url)`)
    expect({ status, stderr }).toStrictEqual({ status: 0, stderr: '' })
    const client = () => new pg.Client({ connectionString: stdout.trim() })
    await expect
      .poll(
        () =>
          client()
            .connect()
            .catch((error: unknown) => error),
        { timeout: 20_000 },
      )
      .toMatchObject({ code: 'ECONNREFUSED' })
  })
})
