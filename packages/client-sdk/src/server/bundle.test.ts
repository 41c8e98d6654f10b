import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundleClient } from '../testing/bundle-client.ts'

const bundle = () => bundleClient(`export * from '@countersign/client-sdk/server'`)

describe('the bundle of the session for servers', () => {
  it('has at most 15 KB in gzip, with the client', async () => {
    const { code } = await bundle()
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(15 * 1024)
  })

  it('needs no other package and nothing of Node', async () => {
    const { code, files } = await bundle()
    expect(files.filter((file) => !/^packages\/(?:client-sdk|contract)\/src\//.test(file))).toStrictEqual([])
    expect(code).not.toMatch(/\b(?:import|require)\s*[("'{]|\bfrom\s*["']|node:|Buffer|process\b/)
  })
})
