import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundleClient } from '../testing/bundle-client.ts'
import { makeReceipt } from '../testing/make-receipt.ts'
import type * as Receipts from './index.ts'

const bundle = () => bundleClient(`export * from '@countersign/client-sdk/receipt'`)

describe('the bundle of the receipt verifier', () => {
  it('has at most 6 KB in gzip', async () => {
    const { code } = await bundle()
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(6 * 1024)
  })

  it('has the size that the page on receipts names', async () => {
    const { code } = await bundle()
    const size = `${(gzipSync(code, { level: 9 }).length / 1000).toFixed(1)} KB in gzip`
    expect(readFileSync(new URL('../../../../docs/receipts.md', import.meta.url), 'utf8')).toContain(size)
  })

  it('needs no other package and nothing of Node', async () => {
    const { code, files } = await bundle()
    expect(files.filter((file) => !file.startsWith('packages/client-sdk/src/'))).toStrictEqual([])
    expect(code).not.toMatch(/\b(?:import|require)\s*[("'{]|\bfrom\s*["']|node:|Buffer|process\b/)
  })

  it('verifies a receipt', async () => {
    const { code } = await bundle()
    const { verifyReceipt } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as typeof Receipts
    const { receipt, keys } = await makeReceipt()
    expect(await verifyReceipt(receipt, { keys })).toMatchObject({ verdict: 'genuine' })
    expect(await verifyReceipt(receipt.replace('.', '_'), { keys })).toMatchObject({ verdict: 'refused' })
  })
})
