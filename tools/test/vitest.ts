import { parseCLI, startVitest, type TestModule, type Vitest } from 'vitest/node'

export interface Counts {
  readonly passed: number
  readonly failed: number
}

const countModule = (module: TestModule): Counts => {
  const states = [...module.children.allTests()].map((test) => test.result().state)
  const passed = states.filter((state) => state === 'passed').length
  // A test that is still pending at the end was never run.
  const failed = states.filter((state) => state === 'failed' || state === 'pending').length
  return { passed, failed: failed === 0 && !module.ok() ? 1 : failed }
}

const sum = (counts: readonly Counts[]): Counts => ({
  passed: counts.reduce((total, { passed }) => total + passed, 0),
  failed: counts.reduce((total, { failed }) => total + failed, 0),
})

/** Counts the tests. A file that cannot be loaded, an error outside of tests and a run without tests count as a failed test. */
const countRun = ({ state }: Vitest): Counts => {
  const { passed, failed } = sum(state.getTestModules().map(countModule))
  const outside = state.getUnhandledErrors().length
  return { passed, failed: passed + failed + outside === 0 ? 1 : failed + outside }
}

/** Runs the tests with the reports of Vitest. `args` are arguments of its command line. */
export const runVitest = async (args: readonly string[]): Promise<Counts> => {
  const { filter, options } = parseCLI(['vitest', 'run', ...args])
  const vitest = await startVitest(filter, options)
  const counts = countRun(vitest)
  await vitest.close()
  return counts
}
