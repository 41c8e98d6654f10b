import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { inject } from 'vitest'
import '../browser/open-browser.ts'
import type { Engine, EngineOptions } from './engine.ts'
import { startChromium, startFirefox } from './puppeteer.ts'
import { startWebKit } from './webkit.ts'

export type EngineName = 'Chromium' | 'Firefox' | 'WebKit'

const programAt = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find(existsSync)

const FIREFOX = ['firefox-esr', 'firefox']
const WEBKIT = ['WebKitWebDriver', 'Xvfb']

const firefoxPath = (): string | undefined => FIREFOX.map(programAt).find((path) => path !== undefined)

/** Returns why an engine cannot be started here, in one sentence; `undefined` if it can. */
export const whyMissing = (name: EngineName): string | undefined => {
  if (name === 'Chromium') {
    const chromium = inject('chromium')
    return 'missing' in chromium ? chromium.missing : undefined
  }
  if (name === 'Firefox') {
    return firefoxPath() === undefined ? 'there is no Firefox (Debian: apt-get install firefox-esr)' : undefined
  }
  return WEBKIT.every(programAt) ? undefined : 'there is no WebKit (Debian: apt-get install webkit2gtk-driver xvfb)'
}

/** Starts an engine without windows. The caller closes it. */
export const startEngine = async (name: EngineName, options: EngineOptions = {}): Promise<Engine> => {
  const missing = whyMissing(name)
  if (missing !== undefined) throw new Error(missing)
  if (name === 'WebKit') return startWebKit()
  if (name === 'Firefox') return startFirefox(firefoxPath() ?? '', options)
  return startChromium(inject('chromium') as never, options)
}
