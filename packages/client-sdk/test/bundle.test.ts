import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundleClient } from '../src/testing/bundle-client.ts'

const EVERYTHING = `export * from '@countersign/client-sdk'`

const gzipped = (code: string): number => gzipSync(code, { level: 9 }).length

/** Bundles an app that imports and uses some names. */
const bundleOf = (...names: readonly string[]) =>
  bundleClient(`import { ${names} } from '@countersign/client-sdk'; globalThis.used = [${names}]`)

describe('the bundle of the client', () => {
  it('has at most 12288 bytes in gzip, with every export', async () => {
    const { code } = await bundleClient(EVERYTHING)
    expect(gzipped(code)).toBeLessThanOrEqual(12_288)
  })

  it('has the size that the documents name', async () => {
    const { code } = await bundleClient(EVERYTHING)
    const size = `${(gzipped(code) / 1000).toFixed(1)} KB`
    for (const page of ['../README.md', '../../../docs/client.md']) {
      expect(readFileSync(new URL(page, import.meta.url), 'utf8'), page).toContain(size)
    }
  })

  it('contains the client, two tables of the contract, and nothing else', async () => {
    const { code, files } = await bundleClient(EVERYTHING)
    expect(files.filter((file) => !file.startsWith('packages/client-sdk/src/')).sort()).toEqual([
      'packages/contract/src/error-codes.ts',
      'packages/contract/src/operations/index.ts',
    ])
    expect(files.filter((file) => file.includes('/node/'))).toEqual([])
    expect(code).not.toMatch(/\b(?:import|require)\s*[("'{]|\bfrom\s*["']|node:|Buffer|process\b/)
  })

  it('contains only those columns of the table of operations that the client reads', async () => {
    const { code } = await bundleClient(EVERYTHING)
    expect(code).toContain('/api/v1/auth/login')
    expect(code).not.toMatch(/rateLimit|summary|Log in with email/)
  })

  it('runs a login', async () => {
    const { code } = await bundleClient(EVERYTHING)
    const bundled = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as typeof import('../src/index.ts')
    const client = bundled.createClient({
      baseUrl: 'http://countersign.test',
      fetch: async ({ url, method }) => Response.json({ data: { devices: [`${method} ${url}`] } }),
    })
    expect(await client.devices.list()).toEqual({ devices: ['GET http://countersign.test/api/v1/auth/devices'] })
  })
})

describe('an unused export', () => {
  it('is not in its bundle', async () => {
    expect(gzipped((await bundleOf('memoryTokenStore')).code)).toBeLessThan(250)
    const [client, store, signer] = await Promise.all([
      bundleOf('createClient'),
      bundleOf('browserTokenStore'),
      bundleOf('webCryptoSigner'),
    ])
    expect(client.code).not.toMatch(/indexedDB|localStorage|ECDSA/)
    for (const { code } of [store, signer]) expect(code).not.toContain('/api/v1/')
    expect(signer.code).toContain('indexedDB')
  })
})
