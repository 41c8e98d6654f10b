import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { NothingToChange } from '../../shared/errors.ts'
import { SchemaRefused } from '../../shared/json-schema/schema-refused.ts'
import { aProductSchema } from '../../testing/builders.ts'
import { atOnce } from '../../testing/contract/at-once.ts'
import { clockStart } from '../../testing/fake-clock.ts'
import { ProductSchemaBreaks, ProductSchemaNotFound, ProductSchemasChangedMeanwhile, ProductSchemaTaken } from './errors.ts'
import type { RegisterProductSchema } from './product-schema.ts'

const text = (schema: unknown) => JSON.stringify(schema)
const machine = text({ title: 'Machine', type: 'object', required: ['power'], properties: { power: { type: 'number' } } })
const stricter = text({ type: 'object', required: ['power', 'weight'], properties: { power: { type: 'number' } } })

const setUp = async () => {
  const { countersign, storage } = await createTestCountersign()
  const { productSchemas } = countersign
  const register = (overrides: Partial<RegisterProductSchema> = {}) =>
    productSchemas.register({ type: 'machine', version: '1.0.0', schemaText: machine, ...overrides })
  return { productSchemas, register, storage }
}

describe('registering a product schema', () => {
  it('returns the registered version, which is active', async () => {
    const { register, productSchemas } = await setUp()
    const entry = {
      key: 'product_schema:machine:v1.0.0',
      type: 'machine',
      version: '1.0.0',
      title: 'Machine',
      active: true,
      requiredFields: ['power'],
      registeredAt: clockStart,
    }
    expect(await register()).toStrictEqual({ ...entry, uncheckedFormats: [] })
    expect(await productSchemas.show({ key: entry.key })).toStrictEqual({ ...entry, schemaText: machine })
  })

  it.each<[Partial<RegisterProductSchema>, string]>([
    [{ title: 'Given' }, 'Given'],
    [{}, 'Machine'],
    [{ schemaText: '{}' }, 'machine'],
    [{ schemaText: '{"title":""}' }, 'machine'],
  ])('uses the given title, else the title of the schema, else the type: %j', async (input, title) => {
    expect(await (await setUp()).register(input)).toMatchObject({ title })
  })

  it('can leave the version inactive', async () => {
    const { register, productSchemas } = await setUp()
    expect(await register({ active: false })).toMatchObject({ active: false })
    expect((await productSchemas.ofType({ type: 'machine' })).schemas).toMatchObject([{ active: false }])
  })

  it.each<[Partial<RegisterProductSchema>, string]>([
    [{ version: '1.0' }, 'version: must have the form major.minor.patch'],
    [{ version: '1.0.0-beta' }, 'version: must have the form major.minor.patch'],
    [{ type: 'Machine' }, 'type: must be 1 to 64 of'],
    [{ type: '__proto__' }, 'type: must be 1 to 64 of'],
    [{ type: 'a:b' }, 'type: must be 1 to 64 of'],
    [{ type: 'm'.repeat(65) }, 'type: must be 1 to 64 of'],
    [{ title: 'a\nb' }, 'title: must be at most 255 characters'],
  ])('is refused for an invalid version, type or title: %j', async (input, message) => {
    await expect((await setUp()).register(input)).rejects.toThrow(message)
  })

  it('is refused for an unsafe schema, and registers nothing', async () => {
    const { register, productSchemas } = await setUp()
    const before = await productSchemas.list()
    await expect(register({ schemaText: text({ properties: { a: { pattern: '(a)\\1' } } }) })).rejects.toThrow(SchemaRefused)
    await expect(register({ schemaText: text({ $ref: 'http://example.test/a.json' }) })).rejects.toThrow(
      'at #/$ref must stay within',
    )
    expect(await productSchemas.list()).toStrictEqual(before)
  })

  it('stores the schema as it was written, without white space', async () => {
    const { register, productSchemas } = await setUp()
    const given = {
      $id: 'https://example.test/a',
      definitions: { a: { $id: '#a' } },
      items: { $ref: 'https://example.test/a#/definitions/a' },
    }
    await register({ schemaText: JSON.stringify(given, null, 2) })
    expect((await productSchemas.show({ key: 'product_schema:machine:v1.0.0' })).schemaText).toBe(text(given))
  })

  it('lists the members whose `format` is a note only and is not checked, as the check does', async () => {
    const { register, productSchemas } = await setUp()
    const schemaText = text({ properties: { mail: { format: 'email' }, format: { type: 'string' } } })
    const uncheckedFormats = ['#/properties/mail/format']
    expect(await productSchemas.check({ type: 'machine', schemaText })).toMatchObject({ uncheckedFormats })
    expect(await register({ schemaText })).toMatchObject({ uncheckedFormats })
  })

  it('is refused for a format that would change whether a value is valid, as the check is', async () => {
    const { register, productSchemas } = await setUp()
    const schemaText = text({ not: { format: 'email' } })
    const message = 'at #/not/format must be removed or become a pattern'
    await expect(register({ schemaText })).rejects.toThrow(message)
    await expect(productSchemas.check({ type: 'machine', schemaText })).rejects.toThrow(message)
  })

  it('never replaces a version, not even with the same schema', async () => {
    const { register, productSchemas } = await setUp()
    await register()
    await expect(register()).rejects.toThrow(ProductSchemaTaken)
    await expect(register({ schemaText: '{}', allowBreaking: true })).rejects.toThrow(
      'product_schema:machine:v1.0.0 is registered already',
    )
    expect((await productSchemas.show({ key: 'product_schema:machine:v1.0.0' })).schemaText).toBe(machine)
  })

  it('is refused with the breaking changes when the active version accepts more', async () => {
    const { register } = await setUp()
    await register()
    const refusal = register({ version: '1.1.0', schemaText: stricter })
    await expect(refusal).rejects.toThrow('The schema would refuse what version 1.0.0 accepts: weight: is now required')
    await expect(refusal).rejects.toMatchObject({ breaking: [{ field: 'weight', reason: 'is now required' }] })
  })

  it('accepts breaking changes when the caller allows them', async () => {
    const { register } = await setUp()
    await register()
    expect(await register({ version: '2.0.0', schemaText: stricter, allowBreaking: true })).toMatchObject({ version: '2.0.0' })
  })

  it('compares with the newest active version only', async () => {
    const { register, productSchemas } = await setUp()
    await register({ version: '1.9.0' })
    await register({ version: '1.10.0', schemaText: stricter, allowBreaking: true })
    expect(await register({ version: '1.11.0', schemaText: stricter })).toMatchObject({ version: '1.11.0' })
    await productSchemas.deactivate({ key: 'product_schema:machine:v1.11.0' })
    await productSchemas.deactivate({ key: 'product_schema:machine:v1.10.0' })
    await expect(register({ version: '1.12.0', schemaText: stricter })).rejects.toThrow(ProductSchemaBreaks)
  })

  it('compares with no version when the type has no active version', async () => {
    const { register } = await setUp()
    await register({ active: false })
    expect(await register({ version: '1.1.0', schemaText: stricter })).toMatchObject({ active: true })
  })

  it('succeeds once of concurrent calls with the same key, and never registers two incompatible versions', async () => {
    const { register, productSchemas } = await setUp()
    const attempts = await Promise.allSettled(
      [0, 1, 2, 3, 4, 5].map((index) => register({ schemaText: index % 2 === 0 ? machine : stricter })),
    )
    expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await productSchemas.ofType({ type: 'machine' })).schemas).toHaveLength(1)
  })

  it('is checked again if the registry has changed in the meantime', async () => {
    const { productSchemas, storage } = await setUp()
    const other = await createTestCountersign({
      storage: interposing(storage, async () => {
        await productSchemas.register({ type: 'machine', version: '1.0.0', schemaText: machine })
      }),
    })
    const refusal = other.countersign.productSchemas.register({ type: 'machine', version: '1.1.0', schemaText: stricter })
    await expect(refusal).rejects.toThrow(ProductSchemaBreaks)
  })

  it('fails if the registry changes again and again', async () => {
    const { storage } = await setUp()
    const { countersign } = await createTestCountersign({
      storage: interposing(storage, () => storage.projects.productSchemas.register(aProductSchema())),
    })
    const attempt = countersign.productSchemas.register({ type: 'machine', version: '1.0.0', schemaText: machine })
    await expect(attempt).rejects.toThrow(ProductSchemasChangedMeanwhile)
  })
})

type Storage = Awaited<ReturnType<typeof createTestCountersign>>['storage']

/** Returns the storage with an action before each transaction. */
const interposing = (storage: Storage, happens: () => Promise<unknown>): Storage => ({
  ...storage,
  transaction: async (work) => {
    await happens().catch((error: unknown) => {
      if (!(error instanceof ProductSchemaTaken)) throw error
    })
    return storage.transaction(work)
  },
})

describe('the registry', () => {
  it('has the built-in types from the start', async () => {
    const { schemas } = await (await setUp()).productSchemas.list()
    expect(schemas).toMatchObject([
      { key: 'product_schema:service:v1.0.0', active: true, requiredFields: ['serviceType', 'duration', 'unit'] },
      { key: 'product_schema:software:v1.0.0', active: true, requiredFields: ['name', 'version', 'licenseType'] },
    ])
  })

  it('is sorted by type, then from the oldest to the newest version', async () => {
    const { register, productSchemas } = await setUp()
    for (const version of ['1.10.0', '1.2.0', '1.9.0']) await register({ version })
    const { schemas } = await productSchemas.list()
    expect(schemas.map(({ type, version }) => `${type} ${version}`)).toStrictEqual([
      'machine 1.2.0',
      'machine 1.9.0',
      'machine 1.10.0',
      'service 1.0.0',
      'software 1.0.0',
    ])
  })

  it('lists the versions of one type, and reports a type without versions', async () => {
    const { productSchemas } = await setUp()
    expect((await productSchemas.ofType({ type: 'software' })).schemas).toMatchObject([{ type: 'software' }])
    for (const type of ['machine', 'constructor', '__proto__']) {
      await expect(productSchemas.ofType({ type })).rejects.toThrow(ProductSchemaNotFound)
    }
  })

  it('has a version that rises with every change and not with a refused change', async () => {
    const { register, productSchemas } = await setUp()
    const versions: number[] = []
    const note = async () => versions.push((await productSchemas.list()).version)
    await note()
    const { key } = await register()
    await note()
    await productSchemas.deactivate({ key })
    await note()
    await expect(productSchemas.deactivate({ key })).rejects.toStrictEqual(new NothingToChange('The version is not active'))
    await expect(register()).rejects.toThrow(ProductSchemaTaken)
    await note()
    await productSchemas.activate({ key })
    await note()
    await expect(productSchemas.activate({ key })).rejects.toStrictEqual(new NothingToChange('The version is active already'))
    const [first = 0] = versions
    expect(versions).toStrictEqual([first, first + 1, first + 2, first + 2, first + 3])
  })

  it('reports an unknown type or version', async () => {
    const { productSchemas } = await setUp()
    const key = 'product_schema:machine:v1.0.0'
    await expect(productSchemas.show({ key })).rejects.toThrow(ProductSchemaNotFound)
    await expect(productSchemas.activate({ key })).rejects.toThrow(ProductSchemaNotFound)
    await expect(productSchemas.deactivate({ key })).rejects.toThrow(ProductSchemaNotFound)
  })

  it('counts every one of concurrent changes', async () => {
    const { register, productSchemas } = await setUp()
    const { version } = await productSchemas.list()
    await atOnce(10, (index) => register({ type: `machine-${index}` }).catch(() => {}))
    const after = await productSchemas.list()
    expect(after.version - version).toBe(after.schemas.length - 2)
  })
})

describe('checking a schema', () => {
  it('returns the breaking changes, and registers nothing', async () => {
    const { register, productSchemas } = await setUp()
    await register()
    const before = await productSchemas.list()
    expect(await productSchemas.check({ type: 'machine', schemaText: machine })).toStrictEqual({
      compatible: true,
      breaking: [],
      uncheckedFormats: [],
    })
    expect(await productSchemas.check({ type: 'machine', schemaText: stricter })).toStrictEqual({
      compatible: false,
      breaking: [{ field: 'weight', reason: 'is now required', value: expect.anything() }],
      uncheckedFormats: [],
    })
    expect(await productSchemas.list()).toStrictEqual(before)
  })

  it('finds every schema compatible when the type has no active version', async () => {
    const { productSchemas } = await setUp()
    expect(await productSchemas.check({ type: 'machine', schemaText: stricter })).toStrictEqual({
      compatible: true,
      breaking: [],
      uncheckedFormats: [],
    })
  })

  it('refuses an unsafe schema', async () => {
    await expect((await setUp()).productSchemas.check({ type: 'machine', schemaText: '{"type":"thing"}' })).rejects.toThrow(
      SchemaRefused,
    )
  })
})
