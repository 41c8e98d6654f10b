import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { describe, expect, it, vi } from 'vitest'
import { aProductSchema } from '../../testing/builders.ts'
import { createProductChecker } from './check-products.ts'
import { ProductAttributesRefused } from './errors.ts'

const software = {
  name: 'Engine',
  productType: 'software',
  attributes: { name: 'engine', version: '1.2.3', licenseType: 'free' },
}
const service = { name: 'Training', productType: 'service', attributes: { serviceType: 'x', duration: 1, unit: 'day' } }
const schemaText = (required: string) => JSON.stringify({ type: 'object', required: [required] })

const setUp = async () => {
  const storage = await createTestStorage()
  return { storage, check: createProductChecker({ storage }) }
}

describe('checking products', () => {
  it('returns the version of the schema of each product, in order', async () => {
    const { storage, check } = await setUp()
    await storage.projects.productSchemas.register(
      aProductSchema({ type: 'service', version: '1.1.0', schemaText: schemaText('unit') }),
    )
    expect(await check([software, service, software])).toStrictEqual(['1.0.0', '1.1.0', '1.0.0'])
    expect(await check([])).toStrictEqual([])
  })

  it('is refused with the name of the product and each wrong field', async () => {
    const { check } = await setUp()
    const bad = {
      ...software,
      name: "Ada's",
      attributes: { name: 'x', version: '1', deployment: { type: 1, platforms: ['a', 2] } },
    }
    const refusal = check([service, bad])
    await expect(refusal).rejects.toThrow(ProductAttributesRefused)
    await expect(refusal).rejects.toMatchObject({
      kind: 'invalid',
      code: 'product_attributes_refused',
      message:
        "validation failed for product 'Ada's': licenseType: is required; version: must match the pattern ^[0-9]+\\.[0-9]+\\.[0-9]+$; " +
        'deployment.type: must be a string; deployment.platforms[1]: must be a string',
      fields: { licenseType: 'is required', 'deployment.type': 'must be a string' },
    })
  })

  it.each(['machine', '', 'constructor', '__proto__', 'SOFTWARE'])(
    'refuses a type that is not registered: %j',
    async (productType) => {
      const { check } = await setUp()
      await expect(check([{ ...software, productType }])).rejects.toThrow(
        "validation failed for product 'Engine': productType: must be a registered product type",
      )
    },
  )

  it('is refused for a type without an active version', async () => {
    const { storage, check } = await setUp()
    await storage.projects.productSchemas.setActive('product_schema:software:v1.0.0', false)
    await expect(check([software])).rejects.toThrow('productType: must be a registered product type')
  })

  it('is refused with the field attributes when the whole value is wrong', async () => {
    const { storage, check } = await setUp()
    await storage.projects.productSchemas.register(aProductSchema({ type: 'box', schemaText: '{"minProperties":1}' }))
    await expect(check([{ name: 'Box', productType: 'box', attributes: {} }])).rejects.toThrow(
      "validation failed for product 'Box': attributes: must have at least 1 members",
    )
  })

  it('follows every change of the registry immediately', async () => {
    const { storage, check } = await setUp()
    const box = { name: 'Box', productType: 'box', attributes: { size: 1 } }
    const versionOf = async () => (await check([box]))[0]
    await storage.projects.productSchemas.register(
      aProductSchema({ type: 'box', version: '1.9.0', schemaText: schemaText('size') }),
    )
    expect(await versionOf()).toBe('1.9.0')
    const strict = aProductSchema({ type: 'box', version: '1.10.0', schemaText: schemaText('weight') })
    await storage.projects.productSchemas.register(strict)
    await expect(versionOf()).rejects.toThrow("validation failed for product 'Box': weight: is required")
    await storage.projects.productSchemas.setActive(strict.key, false)
    expect(await versionOf()).toBe('1.9.0')
    await storage.projects.productSchemas.setActive(strict.key, true)
    await expect(versionOf()).rejects.toThrow('weight: is required')
    await storage.projects.productSchemas.register(aProductSchema({ type: 'box', version: '1.1.0', schemaText: '{}' }))
    await expect(versionOf()).rejects.toThrow('weight: is required')
  })

  it('reads the schemas again only after a change of the registry, and reads nothing when there are no products', async () => {
    const { storage, check } = await setUp()
    const [version, active] = [
      vi.spyOn(storage.projects.productSchemas, 'registryVersion'),
      vi.spyOn(storage.projects.productSchemas, 'active'),
    ]
    await check([])
    expect(version).not.toHaveBeenCalled()
    for (let round = 0; round < 3; round += 1) await check([software, service])
    expect(version).toHaveBeenCalledTimes(3)
    expect(active).toHaveBeenCalledTimes(1)
    await storage.projects.productSchemas.register(aProductSchema())
    await check([software])
    expect(active).toHaveBeenCalledTimes(2)
  })

  it('lets other work run between many products', async () => {
    const { storage, check } = await setUp()
    const pattern = JSON.stringify({ properties: { a: { items: { pattern: '^(a|b|c)*a(a|b|c){9}$' } } } })
    await storage.projects.productSchemas.register(aProductSchema({ type: 'text', schemaText: pattern }))
    const texts = Array.from({ length: 400 }, (_, index) =>
      index.toString(3).replaceAll('0', 'a').replaceAll('1', 'b').replaceAll('2', 'a'),
    )
    const products = Array.from({ length: 1000 }, () => ({
      name: 'x',
      productType: 'text',
      attributes: { a: texts.map((text) => `${text.padStart(10, 'a')}`) },
    }))
    let turns = 0
    const timer = setInterval(() => {
      turns += 1
    }, 1)
    await check(products)
    clearInterval(timer)
    expect(turns).toBeGreaterThan(2)
  })

  it('names the schema when a stored schema cannot be used', async () => {
    const { storage, check } = await setUp()
    await storage.projects.productSchemas.register(aProductSchema({ type: 'box', schemaText: '{"type":"thing"}' }))
    await expect(check([{ name: 'Box', productType: 'box', attributes: {} }])).rejects.toThrow(
      'product_schema:box:v1.0.0 was taken',
    )
  })
})
