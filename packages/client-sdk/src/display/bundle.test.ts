import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bundleClient } from '../testing/bundle-client.ts'
import type * as Displays from './index.ts'

const bundle = () => bundleClient(`export * from '@countersign/client-sdk/display'`)

describe('the bundle of the display', () => {
  it('has at most 2 KB in gzip', async () => {
    const { code } = await bundle()
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(2048)
  })

  it('contains the display only', async () => {
    const { code, files } = await bundle()
    expect(files.filter((file) => !file.includes('/src/display/'))).toStrictEqual([])
    expect(code).not.toMatch(/\b(?:import|require)\s*[("'{]|\bfrom\s*["']|node:|Buffer|process\b/)
  })

  it('shows the lines of a payment', async () => {
    const { code } = await bundle()
    const { displayOf } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as typeof Displays
    const lines = [{ label: 'Amount', value: '\u20681,250.00 EUR\u2069' }]
    const shown = { language: 'en', direction: 'ltr', title: 'Payment', lines }
    expect(displayOf({ display: { en: { direction: 'ltr', title: 'Payment', lines } } })).toStrictEqual(shown)
  })
})
