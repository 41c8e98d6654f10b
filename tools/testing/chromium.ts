import type { TestProject } from 'vitest/node'
import { findChromium } from './browser/find-chromium.ts'

/** The Vitest project of the suites that drive a browser, whichever package they belong to. */
export const browserProject = 'browser'

/** Vitest's global set-up: finds the browser, once a run, where suites that drive one are selected. */
export default async function setup({ vitest, provide }: TestProject): Promise<(() => void) | undefined> {
  if (!vitest.projects.some(({ name }) => name === browserProject)) return undefined
  const chromium = await findChromium()
  provide('chromium', chromium)
  if (!('missing' in chromium)) return undefined
  const warn = (): void => console.warn(`\n  NO BROWSER TESTS: ${chromium.missing}\n`)
  // At the end once more, where whoever started the run will see it.
  warn()
  return warn
}
