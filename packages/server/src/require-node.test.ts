import { silentLogger } from '@countersign/core'
import { afterEach, expect, it, vi } from 'vitest'
import { openCountersign } from './compose.ts'
import { readConfig } from './config/read-config.ts'
import { StartupError } from './startup-error.ts'

afterEach(() => void vi.unstubAllGlobals())

const openOn = async (node: string) => {
  vi.stubGlobal('process', Object.create(process, { versions: { value: { ...process.versions, node } } }))
  return openCountersign(readConfig({ COUNTERSIGN_DATABASE_URL: 'postgres://ada@127.0.0.1:1/none' }), {
    logger: silentLogger,
  })
}

it.each(['18.20.8', '20.20.2', '22.17.9'])(
  'a server on Node.js %s says which version it needs, and opens nothing',
  async (node) => {
    const refusal = new StartupError([`Countersign needs Node.js 22.18 or newer; this is ${node}`])
    await expect(openOn(node)).rejects.toStrictEqual(refusal)
  },
)
