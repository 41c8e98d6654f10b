import { describe, expect, it } from 'vitest'
import type { ProductSchema, ProductSchemaWithText } from '../../../projects/product-schemas/product-schema.ts'
import type { FullStorage } from '../../../storage.ts'
import { aProductSchema } from '../../builders.ts'
import { atOnce, gate, tally } from '../at-once.ts'
import { hostileTexts } from '../hostile-texts.ts'

const entryOf = ({ schemaText: _, ...entry }: ProductSchemaWithText): ProductSchema => entry

export const productSchemasContract = (storage: () => FullStorage): void => {
  describe('product schemas', () => {
    const given = async (overrides: Partial<ProductSchemaWithText> = {}) => {
      const schema = aProductSchema(overrides)
      expect(await storage().projects.productSchemas.register(schema)).toBe(true)
      return schema
    }
    const ofKey = async (key: string) =>
      (await storage().projects.productSchemas.registry()).schemas.find((schema) => schema.key === key)
    const activeOfKey = async (key: string) =>
      (await storage().projects.productSchemas.active()).schemas.find((schema) => schema.key === key)

    it.each(['software', 'service'])('of the type %s exist in a new database', async (type) => {
      expect(await activeOfKey(`product_schema:${type}:v1.0.0`)).toMatchObject({ type, version: '1.0.0' })
    })

    it('are returned as they were registered', async () => {
      const schema = await given({ requiredFields: ['a', 'b'] })
      expect(await storage().projects.productSchemas.byKey(schema.key)).toStrictEqual(schema)
      expect(await activeOfKey(schema.key)).toStrictEqual(schema)
      expect(await ofKey(schema.key)).toStrictEqual(entryOf(schema))
    })

    it('are undefined for an unknown key', async () => {
      expect(await storage().projects.productSchemas.byKey('product_schema:none:v1.0.0')).toBeUndefined()
    })

    it('are not listed as active when they are inactive', async () => {
      const schema = await given({ active: false })
      expect(await activeOfKey(schema.key)).toBeUndefined()
      expect(await ofKey(schema.key)).toStrictEqual(entryOf(schema))
    })

    it.each(hostileTexts)('store this text unchanged: %j', async (text) => {
      const schema = await given({ title: text, requiredFields: [text, ''], schemaText: JSON.stringify({ title: text }) })
      expect(await storage().projects.productSchemas.byKey(schema.key)).toStrictEqual(schema)
    })

    it('are never replaced', async () => {
      const { productSchemas } = storage().projects
      const schema = await given()
      const version = await productSchemas.registryVersion()
      expect(await productSchemas.register({ ...schema, title: 'another' })).toBe(false)
      expect(await productSchemas.byKey(schema.key)).toStrictEqual(schema)
      expect(await productSchemas.registryVersion()).toBe(version)
    })

    it('are registered once by concurrent callers with the same key', async () => {
      const schema = aProductSchema()
      const version = await storage().projects.productSchemas.registryVersion()
      const outcomes = await atOnce(20, (index) =>
        storage().projects.productSchemas.register({ ...schema, title: `title ${index}` }),
      )
      expect(tally(outcomes, true)).toBe(1)
      expect(await storage().projects.productSchemas.byKey(schema.key)).toMatchObject({
        title: `title ${outcomes.indexOf(true)}`,
      })
      expect(await storage().projects.productSchemas.registryVersion()).toBe(version + 1)
    })

    it('can be activated and deactivated', async () => {
      const { productSchemas } = storage().projects
      const schema = await given()
      expect(await productSchemas.setActive(schema.key, false)).toStrictEqual({ ...entryOf(schema), active: false })
      expect(await activeOfKey(schema.key)).toBeUndefined()
      expect(await productSchemas.setActive(schema.key, true)).toStrictEqual(entryOf(schema))
      expect(await activeOfKey(schema.key)).toStrictEqual(schema)
      expect(await productSchemas.setActive('product_schema:none:v1.0.0', true)).toBeUndefined()
    })

    it('have a registry version that rises with every change, and only then', async () => {
      const { productSchemas } = storage().projects
      const version = await productSchemas.registryVersion()
      const { key } = await given()
      expect(await productSchemas.registryVersion()).toBe(version + 1)
      await productSchemas.setActive(key, false)
      expect(await productSchemas.registryVersion()).toBe(version + 2)
      await productSchemas.setActive(key, false)
      await productSchemas.setActive('product_schema:none:v1.0.0', true)
      expect(await productSchemas.registryVersion()).toBe(version + 2)
      expect((await productSchemas.registry()).version).toBe(version + 2)
      expect((await productSchemas.active()).version).toBe(version + 2)
    })

    it('keep the registry version when a transaction fails', async () => {
      const schema = aProductSchema()
      const version = await storage().projects.productSchemas.registryVersion()
      const failing = storage().transaction(async (tx) => {
        await tx.projects.productSchemas.hold()
        await tx.projects.productSchemas.register(schema)
        expect(await tx.projects.productSchemas.registryVersion()).toBe(version + 1)
        throw new Error('after all')
      })
      await expect(failing).rejects.toThrow('after all')
      expect(await storage().projects.productSchemas.byKey(schema.key)).toBeUndefined()
      expect(await storage().projects.productSchemas.registryVersion()).toBe(version)
    })

    it('cannot be changed while another transaction has locked the registry', async () => {
      const events: string[] = []
      const held = gate()
      const holding = storage().transaction(async (tx) => {
        await tx.projects.productSchemas.hold()
        held.open()
        const version = await tx.projects.productSchemas.registryVersion()
        for (let round = 0; round < 20; round += 1) expect(await tx.projects.productSchemas.registryVersion()).toBe(version)
        await tx.projects.productSchemas.register(aProductSchema())
        events.push('held')
      })
      await held.passed
      const other = storage()
        .transaction(async (tx) => {
          await tx.projects.productSchemas.hold()
          await tx.projects.productSchemas.register(aProductSchema())
        })
        .then(() => events.push('other'))
      await Promise.all([holding, other])
      expect(events).toStrictEqual(['held', 'other'])
    })
  })
}
