import { describe, it } from 'vitest'
import { type EngineName, whyMissing } from './start-engine.ts'

/** True if all engines are driven. Otherwise only Chromium is. */
export const drivesAll = process.env.REQUIRE_ENGINES === '1'

/** Returns why an engine is left out of this run; `undefined` if it must run. */
const whyLeftOut = (name: EngineName): string | undefined => {
  if (drivesAll) return undefined
  if (name !== 'Chromium') return `set REQUIRE_ENGINES=1 to drive ${name}`
  return process.env.CI || process.env.REQUIRE_CHROMIUM === '1' ? undefined : whyMissing(name)
}

/**
 * Describes what pages do in an engine. Firefox and WebKit are driven with `REQUIRE_ENGINES=1`, and otherwise left out with a
 * sentence. An engine that is required and missing fails.
 */
export const describeEngine = (name: EngineName, title: string, tests: () => void): void => {
  const leftOut = whyLeftOut(name)
  if (leftOut === undefined) describe(title, tests)
  else it(title, ({ skip }) => skip(leftOut))
}
