import { generateKeyRing, type KeyRing, parseKeyRing, systemRandom } from '@countersign/core'
import {
  examineSealedFields,
  type MigratedStorage,
  type RotatableStorage,
  rotateSealedFields,
  type SealedTexts,
  sealedColumns,
} from '@countersign/core/storage'
import { describe, expect, it } from 'vitest'
import { databases, type ReadableDatabase } from './open-databases.ts'
import { storeEveryField } from './sealed-life.ts'

const [oldText, newText] = [generateKeyRing(systemRandom), generateKeyRing(systemRandom)]
const ringOf = (...keys: readonly string[]): KeyRing => parseKeyRing(keys.join(','), { exactly: true })
const [oldRing, newRing, bothKeys] = [ringOf(oldText), ringOf(newText), ringOf(newText, oldText)]

const everyColumn = Object.entries(sealedColumns)
  .flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`))
  .sort()

/** Returns the places of all stored texts with a field of this key. */
const placesOf = async ({ texts }: ReadableDatabase, { current: { kid } }: KeyRing): Promise<readonly string[]> =>
  (await texts()).filter(([, text]) => text.includes(`v1.${kid}.`)).map(([place]) => place)

/** Returns the same database, whose calls of `replace` first run `before`. */
const withReplace = (
  storage: MigratedStorage,
  before: (...call: Parameters<SealedTexts['replace']>) => void | Promise<void>,
) => ({
  snapshot: storage.snapshot,
  sealedTexts: {
    rowsAfter: storage.sealedTexts.rowsAfter,
    replace: async (...call: Parameters<SealedTexts['replace']>) => {
      await before(...call)
      return storage.sealedTexts.replace(...call)
    },
  },
})

const rotate = (storage: RotatableStorage, ring = bothKeys) => rotateSealedFields(storage, ring, systemRandom)

const fieldsOf = ({ tables }: Awaited<ReturnType<typeof rotate>>): number => tables.reduce((sum, { fields }) => sum + fields, 0)

describe.each(databases)('rotating the encryption key on %s', (_, open) => {
  it('covers every encrypted column, so that the old key can be removed', async () => {
    const database = await open()
    const { storage } = database
    const readEveryField = await storeEveryField(storage, oldRing)
    const before = await placesOf(database, oldRing)
    // A new encrypted column that is missing from `sealedColumns` is found here, or does not compile.
    expect([...new Set(before)].sort()).toStrictEqual(everyColumn)

    const result = await rotate(storage)
    expect(result).toMatchObject({ kid: newRing.current.kid, unopened: [], isComplete: true })
    expect(fieldsOf(result)).toBe(before.length)
    expect(await placesOf(database, oldRing)).toStrictEqual([])
    expect([...(await placesOf(database, newRing))].sort()).toStrictEqual([...before].sort())
    expect((await examineSealedFields(storage, newRing)).keys).toStrictEqual([
      { kid: newRing.current.kid, opened: before.length, unopened: 0 },
    ])
    await readEveryField(newRing)
  })

  it('writes nothing if every field has the current key', async () => {
    const { storage } = await open()
    await storeEveryField(storage, newRing)
    const refuse = withReplace(storage, () => {
      throw new Error('nothing needs to be replaced')
    })
    expect(await rotate(refuse)).toMatchObject({ isComplete: true })
  })

  it('continues after an interruption, and encrypts no field twice', async () => {
    const database = await open()
    const { storage } = database
    await storeEveryField(storage, oldRing)
    const fields = (await placesOf(database, oldRing)).length
    let calls = 0
    const interrupted = withReplace(storage, () => {
      calls += 1
      if (calls > 5) throw new Error('killed')
    })
    await expect(rotate(interrupted)).rejects.toThrow('killed')
    const left = (await placesOf(database, oldRing)).length
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(fields)
    expect(fieldsOf(await rotate(storage))).toBe(left)
    expect(await placesOf(database, oldRing)).toStrictEqual([])
  })

  it('can run twice at the same time: each field is replaced once', async () => {
    const database = await open()
    const { storage } = database
    const readEveryField = await storeEveryField(storage, oldRing)
    const fields = (await placesOf(database, oldRing)).length
    const results = await Promise.all([rotate(storage), rotate(storage)])
    expect(results.map(({ isComplete }) => isComplete)).toStrictEqual([true, true])
    expect(results.reduce((sum, result) => sum + fieldsOf(result), 0)).toBe(fields)
    await readEveryField(newRing)
  })

  it('keeps a concurrent change of the same row by a server', async () => {
    const database = await open()
    const { storage } = database
    await storeEveryField(storage, oldRing)
    const written = `v1.${newRing.current.kid}.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAA`
    let device: string | undefined
    const beside = withReplace(storage, async (table, id, texts) => {
      if (table !== 'devices' || device !== undefined) return
      device = id
      const [{ from = '' } = {}] = texts
      expect(await storage.sealedTexts.replace(table, id, [{ column: 'push_token', from, to: written }])).toBe(true)
    })
    expect(await rotate(beside)).toMatchObject({ isComplete: true })
    expect(await database.texts()).toContainEqual(['devices.push_token', written])
  })

  it('does not change a field whose key is missing, and reports it', async () => {
    const database = await open()
    const { storage } = database
    await storeEveryField(storage, oldRing)
    const before = await placesOf(database, oldRing)
    expect(await rotate(storage, newRing)).toMatchObject({
      unopened: [{ kid: oldRing.current.kid, fields: before.length }],
      isComplete: false,
    })
    expect(await placesOf(database, oldRing)).toStrictEqual(before)
  })

  it('finds a field that another server wrote with the old key after the pass', async () => {
    const database = await open()
    const { storage } = database
    await storeEveryField(storage, oldRing)
    let isWritten = false
    const beside = withReplace(storage, async (table) => {
      if (table !== 'approval_requests' || isWritten) return
      isWritten = true
      await storeEveryField(storage, oldRing)
    })
    expect(await rotate(beside)).toMatchObject({ isComplete: true })
    expect(await placesOf(database, oldRing)).toStrictEqual([])
  })
})

describe.each(databases)('the stored texts of encrypted fields on %s', (_, open) => {
  const given = async () => {
    const { storage } = await open()
    await storeEveryField(storage, oldRing)
    const { rowsAfter, replace } = storage.sealedTexts
    const page = (after: string | undefined, limit: number, except = 'none') =>
      rowsAfter({ table: 'device_registrations', after, limit, except })
    return { page, replace }
  }

  it('are read in pages by id, without the excepted texts', async () => {
    const { page } = await given()
    const all = await page(undefined, 10)
    const [first, second] = all
    expect(all).toHaveLength(2)
    expect(await page(undefined, 1)).toStrictEqual([first])
    expect(await page(first?.id, 1)).toStrictEqual([second])
    expect(await page(second?.id, 1)).toStrictEqual([])
    expect(first?.texts.every((text) => text?.startsWith(`v1.${oldRing.current.kid}.`))).toBe(true)
    const excepted = await page(undefined, 10, `v1.${oldRing.current.kid}.`)
    expect(excepted).toStrictEqual(all.map(({ id }) => ({ id, texts: [null, null] })))
  })

  it('are replaced together, by one of many callers, and only while all of them are unchanged', async () => {
    const { page, replace } = await given()
    const [{ id, texts } = { id: '', texts: [] }] = await page(undefined, 1)
    const [nonce, statement] = [texts[0] ?? '', texts[1] ?? '']
    const changes = (from: string) =>
      [
        { column: 'nonce', from: nonce, to: 'v1.a.b.c' },
        { column: 'statement', from, to: 'v1.d.e.f' },
      ] as const
    expect(await replace('device_registrations', id, changes('another'))).toBe(false)
    expect(await page(undefined, 1)).toStrictEqual([{ id, texts }])
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => replace('device_registrations', id, changes(statement))))
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    expect(await page(undefined, 1)).toStrictEqual([{ id, texts: ['v1.a.b.c', 'v1.d.e.f'] }])
  })
})
