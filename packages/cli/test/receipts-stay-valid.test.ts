import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { verifyReceipt } from '@countersign/client-sdk/receipt'
import { generateReceiptKeyRing, parseReceiptKeyRing } from '@countersign/core'
import { openStorage } from '@countersign/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDatabaseDirectory } from '../../../tools/testing/create-database-directory.ts'
import { createPostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { approvePayment, type DeviceUser, signInWithDevice } from '../../server/src/testing/sign-in.ts'
import { createTestApp, type TestApp, type TestAppOptions } from '../../server/src/testing/test-app.ts'

interface TestDatabase {
  readonly url: string
  remove(): Promise<void>
}

const databases: Readonly<Record<'SQLite' | 'PostgreSQL', () => Promise<TestDatabase>>> = {
  SQLite: async () => {
    const directory = createDatabaseDirectory('cs-receipts-')
    return { url: `sqlite:${join(directory, 'db')}`, remove: async () => rmSync(directory, { recursive: true }) }
  },
  PostgreSQL: async () => {
    const { url, drop } = await createPostgresDatabase()
    return { url, remove: drop }
  },
}

const issuer = 'https://auth.example.com'
const aRing = () => parseReceiptKeyRing(generateReceiptKeyRing())

describe.each(Object.entries(databases))('a receipt made today, on %s, is genuine', (name, create) => {
  let ended: (() => Promise<void>)[]
  let database: TestDatabase
  let test: TestApp
  let user: DeviceUser
  let confirmationId: string
  let receipt: string
  const ring = aRing()

  const open = async (url: string) => {
    const storage = await openStorage(url)
    ended.unshift(() => storage.close())
    await storage.migrate()
    return storage
  }

  /** Another server, with the keys of the first one except for these changes. */
  const serverWith = async (changes: TestAppOptions): Promise<TestApp> => {
    const { storage, clock, jwtKeys, encryptionKeys } = test
    return createTestApp({ storage, clock, jwtKeys, encryptionKeys, receipts: { keys: ring, issuer }, ...changes })
  }

  /** The verdict for a person who has the old receipt and has just fetched the keys from this server. */
  const verdictBy = async (server: TestApp, text = receipt) =>
    verifyReceipt(text, { keys: await server.ask('receipts.keys', {}) })
  /** A receipt of the same approval that this server makes now. */
  const receiptBy = ({ countersign }: TestApp) => countersign.receipts.export({ confirmationId })

  beforeEach(async () => {
    ended = []
    database = await create()
    ended.unshift(() => database.remove())
    test = await createTestApp({ storage: await open(database.url), receipts: { keys: ring, issuer } })
    user = await signInWithDevice(test)
    confirmationId = await approvePayment(test, user)
    ;({ receipt } = await test.ask('confirmations.receipt', { confirmationId }, { token: user.token }))
  })
  afterEach(async () => {
    for (const end of ended) await end()
  })

  const genuine = () => ({
    verdict: 'genuine',
    unchecked: [],
    confirmation: { id: confirmationId },
    statement: { subject: { id: user.user.id } },
    device: { id: user.device.id },
  })

  it('after the receipt key was replaced, retired, and destroyed', async () => {
    const [old] = ring.keys
    const newRing = aRing()
    test.clock.advance(60_000)
    await test.countersign.receipts.retireKey({ kid: old?.kid ?? '' })
    test.clock.advance(60_000)
    const server = await serverWith({ receipts: { keys: newRing, issuer } })
    const again = await receiptBy(server)
    expect(await verdictBy(server)).toMatchObject({ ...genuine(), kid: old?.kid })
    expect(await verdictBy(server, again)).toMatchObject({ ...genuine(), kid: newRing.keys[0]?.kid })
    expect(await verifyReceipt(again, { keys: { keys: [] } })).toMatchObject({ verdict: 'refused', step: 'key' })
  })

  it('after the device was removed', async () => {
    await test.ask('devices.remove', { deviceId: user.device.id }, { token: user.token })
    expect(await verdictBy(test)).toMatchObject(genuine())
    expect(await verdictBy(test, await receiptBy(test))).toMatchObject(genuine())
  })

  it('after the user was disabled, and after the user was deleted, though the name is then missing', async () => {
    const { email } = user.user
    await test.countersign.users.disable({ email })
    expect(await verdictBy(test)).toMatchObject({ ...genuine(), approver: { email } })
    expect(await verdictBy(test, await receiptBy(test))).toMatchObject({ ...genuine(), approver: { email } })

    const { storage } = test
    const deleted = await serverWith({ storage: { ...storage, users: { ...storage.users, byId: async () => undefined } } })
    expect(await verdictBy(deleted)).toMatchObject(genuine())
    const again = await verdictBy(deleted, await receiptBy(deleted))
    expect(again).toMatchObject(genuine())
    expect(again).not.toHaveProperty('approver')
  })

  // On PostgreSQL, the test of `migrate-data` moves a database with an approval.
  if (name !== 'SQLite') return
  it('after a backup was restored', async () => {
    const copy = `${database.url.slice('sqlite:'.length)}-copy`
    const file = new DatabaseSync(database.url.slice('sqlite:'.length))
    file.exec(`vacuum into '${copy}'`)
    file.close()
    await test.ask('devices.remove', { deviceId: user.device.id }, { token: user.token })
    const restored = await serverWith({ storage: await open(`sqlite:${copy}`) })
    expect(await verdictBy(restored)).toMatchObject(genuine())
    expect(await verdictBy(restored, await receiptBy(restored))).toMatchObject(genuine())
  })
})
