import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundleClient } from '../testing/bundle-client.ts'

describe('the bundle of the hooks', () => {
  it('has at most 3 KB in gzip, and leaves React and the client to the app', async () => {
    const { code, files } = await bundleClient(`export * from '@countersign/client-sdk/react'`)
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(3072)
    expect(files.filter((file) => !/\/src\/(?:react|shared\/errors)\//.test(file))).toStrictEqual([])
    const imported = [...code.matchAll(/from\s*"([^"]+)"/g)].map(([, name]) => name)
    expect([...new Set(imported)]).toStrictEqual(['react'])
  })
})
