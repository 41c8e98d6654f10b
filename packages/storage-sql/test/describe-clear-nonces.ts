import { type ConfirmationView, confirmationChallenge } from '@countersign/core'
import type { MigratedStorage } from '@countersign/core/storage'
import { aKeyRing, createTestCountersign, signInNewUser, validPayloads } from '@countersign/core/testing'
import { type Kysely, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { migrations } from '../src/migrations/index.ts'
import type { DialectFeatures } from '../src/shared/dialect-features.ts'
import type { Engine } from '../src/shared/engine.ts'
import { applyMigrations } from '../src/shared/migrate.ts'
import type { Tables } from '../src/shared/tables.ts'

/** An empty database, past its storage and through it. */
export interface EmptyDatabase {
  readonly engine: Engine
  readonly features: DialectFeatures
  /** Opens a storage on the database, as one more process would. */
  openStorage(): Promise<MigratedStorage>
  /** Every text that the database returns for its confirmations. */
  nonces(): Promise<readonly string[]>
}

const COUNT = 450
const encryptionKeys = aKeyRing()

interface OldConfirmation {
  readonly view: ConfirmationView
  readonly payload: string
}

/** Confirmations with everything that is stored of them, from a core with the same keys. */
const initiateMany = async (count: number): Promise<readonly OldConfirmation[]> => {
  const test = createTestCountersign({ encryptionKeys, options: { pendingConfirmationsPerUser: COUNT } })
  const { caller } = await signInNewUser(test)
  const confirmations: OldConfirmation[] = []
  for (let index = 0; index < count; index += 1) {
    const actionPayload = { ...validPayloads.payment_approval, amount: index + 1 }
    const { id, payload } = await test.countersign.confirmations.initiate({
      caller,
      actionType: 'payment_approval',
      actionPayload,
    })
    const view = await test.countersign.confirmations.status({ caller, confirmationId: id })
    confirmations.push({ view, payload })
  }
  return confirmations
}

/** Writes confirmations as versions before migration 0010 did. */
const writeAsBefore = async (db: Kysely<Tables>, confirmations: readonly OldConfirmation[]): Promise<void> => {
  for (const { view, payload } of confirmations) {
    await sql`insert into confirmations (id, user_id, action_type, payload, nonce, challenge, status, wrong_signatures,
      device_id, reject_reason, created_at, expires_at, updated_at) values (${view.id}, ${view.userId}, ${view.actionType},
      ${payload}, ${view.nonce}, ${view.challenge}, 'pending', 0, null, null, ${view.createdAt}, ${view.expiresAt},
      ${view.updatedAt})`.execute(db)
  }
}

const givenOldDatabase = async ({ engine, features }: EmptyDatabase): Promise<readonly OldConfirmation[]> => {
  const old = Object.fromEntries(Object.entries(migrations(features)).filter(([name]) => name < '0008'))
  const confirmations = await initiateMany(COUNT)
  await engine.migration(async (db) => {
    await applyMigrations(db, old)
    await sql`insert into users (email, name, employee_id, employee_name, employee_avatar_file_id, department_id,
      department_name, permissions, version, created_at, updated_at) values ('ada@example.test', '', '', '', '', '', '',
      '[]', 1, 0, 0)`.execute(db)
    await writeAsBefore(db, confirmations)
  })
  return confirmations
}

/** Whether the nonce that the core reads is the one that the challenge was made of. */
const matchesChallenge = (view: ConfirmationView): boolean =>
  confirmationChallenge(Buffer.from(view.nonce, 'base64'), {
    confirmationId: view.id,
    userId: view.userId,
    actionType: view.actionType,
    actionPayload: JSON.parse(view.actionPayloadText) as Record<string, unknown>,
    expiresAt: new Date(view.expiresAt).toISOString(),
  }) === view.challenge

/** Checks, for one kind of database, that nonces which earlier versions stored in clear become encrypted. */
export const describeClearNonces = (name: string, empty: () => Promise<EmptyDatabase>): void => {
  describe(`nonces in clear, of a ${name} database that an earlier version wrote`, { timeout: 60_000 }, () => {
    const given = async () => {
      const database = await empty()
      const old = await givenOldDatabase(database)
      const openCountersign = async () => {
        const storage = await database.openStorage()
        return { storage, countersign: createTestCountersign({ storage, encryptionKeys }).countersign }
      }
      const first = await openCountersign()
      await first.storage.migrate()
      const views = () =>
        Promise.all(
          old.map(({ view }) =>
            first.countersign.confirmations.status({ caller: { userId: view.userId }, confirmationId: view.id }),
          ),
        )
      const clearOnes = async () => (await database.nonces()).filter((nonce) => !nonce.startsWith('v1.'))
      return { database, old, first, openCountersign, views, clearOnes }
    }

    it('are encrypted, each once, by servers that start at once, and read as before', async () => {
      const { old, first, openCountersign, views, clearOnes } = await given()
      const before = await views()
      expect(before.every(matchesChallenge)).toBe(true)
      expect(await clearOnes()).toHaveLength(COUNT)

      const servers = [first, await openCountersign(), await openCountersign()]
      const sealed = await Promise.all(servers.map(({ countersign }) => countersign.confirmations.sealClearNonces()))
      expect(sealed.reduce((sum, count) => sum + count, 0)).toBe(COUNT)
      expect(await clearOnes()).toStrictEqual([])
      expect(await views()).toStrictEqual(before)
      expect(before.map(({ nonce }) => nonce)).toStrictEqual(old.map(({ view }) => view.nonce))
    })

    it('are all encrypted by the next start where one was interrupted', async () => {
      const { first, clearOnes, views } = await given()
      let steps = 0
      const { confirmations } = first.storage
      const sealNonces: typeof confirmations.sealNonces = async (sealed) => {
        steps += 1
        if (steps === 2) throw new Error('the process ends here')
        return confirmations.sealNonces(sealed)
      }
      const ending = createTestCountersign({
        storage: { ...first.storage, confirmations: { ...confirmations, sealNonces } },
        encryptionKeys,
      })
      await expect(ending.countersign.confirmations.sealClearNonces()).rejects.toThrow('the process ends here')
      expect(await clearOnes()).toHaveLength(COUNT - 200)

      expect(await first.countersign.confirmations.sealClearNonces()).toBe(COUNT - 200)
      expect(await clearOnes()).toStrictEqual([])
      expect((await views()).every(matchesChallenge)).toBe(true)
    })

    it('are encrypted by the next sweep where an older server writes more of them', async () => {
      const { database, first, clearOnes } = await given()
      await first.countersign.sweep()
      expect(await clearOnes()).toStrictEqual([])
      await database.engine.migration(async (db) => writeAsBefore(db, await initiateMany(1)))
      expect(await clearOnes()).toHaveLength(1)
      await first.countersign.sweep()
      expect(await clearOnes()).toStrictEqual([])
    })
  })
}
