import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findChromium } from './find-chromium.ts'
import type { Chromium } from './run-chromium.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-find-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const aProgram = (name: string, script: string): string => {
  const path = join(directory, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}
const aBrowser = (name: string): string => aProgram(name, 'echo Chromium 153.0.8010.0')
const aBrokenBrowser = (name: string): string =>
  aProgram(name, 'echo "error while loading shared libraries: libnss3.so" >&2; exit 127')

const ofNpm: Chromium = { executablePath: '/bin/sh', env: {} }
const nothing = async (): Promise<readonly Chromium[]> => []

describe('the browser for tests', () => {
  it('is the given browser, if one is given', async () => {
    aBrowser('chromium')
    const given = aBrowser('my-browser')
    expect(await findChromium({ given, path: directory })).toEqual({ executablePath: given, env: {} })
  })

  it('is missing when the given browser does not run, even if another browser would', async () => {
    aBrowser('chromium')
    const given = aBrokenBrowser('my-browser')
    expect(await findChromium({ given, path: directory })).toEqual({
      missing: expect.stringContaining(`${given}: error while loading shared libraries: libnss3.so; install Chromium`),
    })
    expect(await findChromium({ given: join(directory, 'nowhere'), path: directory })).toEqual({
      missing: expect.stringContaining('nowhere'),
    })
  })

  it('is a running browser of the system, before the browser from npm', async () => {
    aBrokenBrowser('chromium')
    const executablePath = aBrowser('google-chrome')
    const found = await findChromium({ given: '', path: `/nowhere:${directory}`, fallback: async () => [ofNpm] })
    expect(found).toEqual({ executablePath, env: {} })
  })

  it('is the browser from npm, with its environment, when the system has none', async () => {
    const executablePath = aProgram('npm-chromium', 'test -n "$LIBRARIES" && echo Chromium 153.0')
    const bare = { executablePath, env: {} }
    const helped = { executablePath, env: { LIBRARIES: 'brought along' } }
    expect(await findChromium({ given: '', path: directory, fallback: async () => [bare, helped] })).toEqual(helped)
  })

  it('is the browser from npm, even if the system has one, if the given program is "npm"', async () => {
    aBrowser('chromium')
    expect(await findChromium({ given: 'npm', path: directory, fallback: nothing })).toHaveProperty('missing')
    const executablePath = aBrowser('npm-chromium')
    const fallback = async () => [{ executablePath, env: {} }]
    expect(await findChromium({ given: 'npm', path: directory, fallback })).toEqual({ executablePath, env: {} })
  })

  it('is missing, with a remedy, when no browser is found', async () => {
    expect(await findChromium({ given: '', path: directory, fallback: nothing })).toEqual({
      missing: expect.stringMatching(/no Chromium that runs here \(install Chromium .* or set CHROMIUM_PATH to its program\)$/),
    })
    aBrokenBrowser('chromium')
    expect(await findChromium({ given: '', path: directory, fallback: nothing })).toEqual({
      missing: expect.stringContaining('libnss3.so'),
    })
  })
})
