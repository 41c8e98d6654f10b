import { buildIfNeeded } from '../build/build.ts'
import { check } from '../check/check.ts'
import { runVitest } from './vitest.ts'

const runChecks = async (args: readonly string[], built: boolean): Promise<number> => {
  if (!built) return 1
  if (args.length === 0) return check(1)
  console.log('- the checks are left out where arguments select tests; `npm run check` runs them')
  return 0
}

/**
 * Builds, checks and tests, and prints the result on the last line. A failed build and each failed check count as a failed
 * test, and do not stop the tests. The checks run beside the tests, in the time in which these wait. `args` are passed to Vitest.
 */
export const run = async (args: readonly string[]): Promise<number> => {
  const built = await buildIfNeeded()
  const [checks, tests] = await Promise.all([runChecks(args, built), runVitest(args)])
  const failed = tests.failed + checks
  console.log(`${tests.passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}
