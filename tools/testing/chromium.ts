import type { TestProject } from 'vitest/node'
import { findChromium } from './browser/find-chromium.ts'

/** The Vitest project of the suites that drive a browser, in every package. */
export const browserProject = 'browser'

/** Global set-up of Vitest: finds the browser once for a run in which browser suites are selected. */
export default async function setup({ vitest, provide }: TestProject): Promise<(() => void) | undefined> {
  if (!vitest.projects.some(({ name }) => name === browserProject)) return undefined
  const chromium = await findChromium()
  provide('chromium', chromium)
  if (!('missing' in chromium)) return undefined
  const warn = (): void => console.warn(`\n  NO BROWSER TESTS: ${chromium.missing}\n`)
  // The warning is repeated at the end, where people look first.
  warn()
  return warn
}
