import type { Browser } from 'playwright-core'
import { describe, inject } from 'vitest'
import type { MissingChromium } from './find-chromium.ts'
import { type LaunchOptions, launchChromium } from './launch-chromium.ts'
import type { Chromium } from './run-chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser of this run; set only in the project that drives browsers. */
    chromium: Chromium | MissingChromium
  }
}

const found = inject('chromium')
const isRequired = Boolean(process.env.CI) || process.env.REQUIRE_CHROMIUM === '1'

/**
 * Describes a suite that needs a browser. Without a browser, its tests are skipped, and the run says so at its beginning. In
 * CI and with `REQUIRE_CHROMIUM=1` they run and fail with the reason.
 */
export const describeInBrowser = (name: string, tests: () => void): void => {
  describe.skipIf('missing' in found && !isRequired)(name, tests)
}

/** Starts a browser without windows. The caller closes it. */
export const openBrowser = async (options?: LaunchOptions): Promise<Browser> => {
  if ('missing' in found) throw new Error(found.missing)
  return launchChromium(found, options)
}
