import { describe, expect, it } from 'vitest'
import type { SchemaRegistryStore } from '../../shared/schema-registry/registry.ts'
import type { SchemaEntry, SchemaEntryWithText } from '../../shared/schema-registry/schema-entry.ts'
import type { AllStores, FullStorage } from '../../storage.ts'
import { atOnce, gate, tally } from './at-once.ts'

/** A registry of versioned schemas, of product types or of action types. */
export interface TestedRegistry<T extends SchemaEntryWithText> {
  readonly name: string
  registryOf(stores: AllStores): SchemaRegistryStore<T>
  /** Returns an entry with a new key. */
  anEntry(overrides?: object): T
}

const UNKNOWN = 'schema:none:v1.0.0'

const entryOf = ({ key, type, version, title, active, requiredFields, registeredAt }: SchemaEntry): SchemaEntry => ({
  ...{ key, type, version, title, active, requiredFields, registeredAt },
})

/** Declares the laws of a registry of versioned schemas. */
export const schemaRegistryContract = <T extends SchemaEntryWithText>(
  storage: () => FullStorage,
  { name, registryOf, anEntry }: TestedRegistry<T>,
): void => {
  const registry = (): SchemaRegistryStore<T> => registryOf(storage())

  describe(name, () => {
    const given = async (overrides: object = {}) => {
      const schema = anEntry(overrides)
      expect(await registry().register(schema)).toBe(true)
      return schema
    }
    const ofKey = async (key: string) => (await registry().registry()).schemas.find((schema) => schema.key === key)
    const activeOfKey = async (key: string) => (await registry().active()).schemas.find((schema) => schema.key === key)

    it('are returned as they were registered', async () => {
      const schema = await given({ requiredFields: ['a', 'b'] })
      expect(await registry().byKey(schema.key)).toStrictEqual(schema)
      expect(await activeOfKey(schema.key)).toStrictEqual(schema)
      expect(await ofKey(schema.key)).toStrictEqual(entryOf(schema))
    })

    it('are registered once by concurrent callers with the same key', async () => {
      const schema = anEntry()
      const version = await registry().registryVersion()
      const outcomes = await atOnce(20, (index) => registry().register({ ...schema, title: `title ${index}` }))
      expect(tally(outcomes, true)).toBe(1)
      expect(await registry().byKey(schema.key)).toMatchObject({
        title: `title ${outcomes.indexOf(true)}`,
      })
      expect(await registry().registryVersion()).toBe(version + 1)
    })

    it('can be activated and deactivated', async () => {
      const store = registry()
      const schema = await given()
      expect(await store.setActive(schema.key, false)).toStrictEqual({ ...entryOf(schema), active: false })
      expect(await activeOfKey(schema.key)).toBeUndefined()
      expect(await store.setActive(schema.key, true)).toStrictEqual(entryOf(schema))
      expect(await activeOfKey(schema.key)).toStrictEqual(schema)
      expect(await store.setActive(UNKNOWN, true)).toBeUndefined()
    })

    it('have a registry version that rises with every change, and only then', async () => {
      const store = registry()
      const version = await store.registryVersion()
      const { key } = await given()
      expect(await store.registryVersion()).toBe(version + 1)
      await store.setActive(key, false)
      expect(await store.registryVersion()).toBe(version + 2)
      await store.setActive(key, false)
      await store.setActive(UNKNOWN, true)
      expect(await store.registryVersion()).toBe(version + 2)
      expect((await store.registry()).version).toBe(version + 2)
      expect((await store.active()).version).toBe(version + 2)
    })

    it('keep the registry version when a transaction fails', async () => {
      const schema = anEntry()
      const version = await registry().registryVersion()
      const failing = storage().transaction(async (tx) => {
        await registryOf(tx).hold()
        await registryOf(tx).register(schema)
        expect(await registryOf(tx).registryVersion()).toBe(version + 1)
        throw new Error('after all')
      })
      await expect(failing).rejects.toThrow('after all')
      expect(await registry().byKey(schema.key)).toBeUndefined()
      expect(await registry().registryVersion()).toBe(version)
    })

    it('cannot be changed while another transaction has locked the registry', async () => {
      const events: string[] = []
      const held = gate()
      const holding = storage().transaction(async (tx) => {
        await registryOf(tx).hold()
        held.open()
        const version = await registryOf(tx).registryVersion()
        for (let round = 0; round < 20; round += 1) expect(await registryOf(tx).registryVersion()).toBe(version)
        await registryOf(tx).register(anEntry())
        events.push('held')
      })
      await held.passed
      const other = storage()
        .transaction(async (tx) => {
          await registryOf(tx).hold()
          await registryOf(tx).register(anEntry())
        })
        .then(() => events.push('other'))
      await Promise.all([holding, other])
      expect(events).toStrictEqual(['held', 'other'])
    })
  })
}
