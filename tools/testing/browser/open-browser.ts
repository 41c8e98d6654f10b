import { type Browser, chromium } from 'playwright-core'
import { describe, inject } from 'vitest'
import type { MissingChromium } from './find-chromium.ts'
import type { Chromium } from './run-chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser of this run; only in suites of the project that drives one. */
    chromium: Chromium | MissingChromium
  }
}

// Pages are our own, so the sandbox, which root has not, protects nothing. The rest keeps the browser from talking to anybody.
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const found = inject('chromium')
const isRequired = Boolean(process.env.CI) || process.env.REQUIRE_CHROMIUM === '1'

/**
 * `describe` for what needs a browser. Where there is none, its tests are skipped, as the run says at its beginning; in CI
 * and with `REQUIRE_CHROMIUM=1` they run, and fail with the reason.
 */
export const describeInBrowser = (name: string, tests: () => void): void => {
  describe.skipIf('missing' in found && !isRequired)(name, tests)
}

/** Starts a browser without windows. Whoever opens it closes it. */
export const openBrowser = async (): Promise<Browser> => {
  if ('missing' in found) throw new Error(found.missing)
  const { executablePath, env } = found
  return chromium.launch({ executablePath, args: ARGS, env: { ...process.env, ...env } })
}
