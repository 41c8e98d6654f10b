import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import { browserProject } from './tools/testing/chromium.ts'
import { makeEnvironmentSteady } from './tools/testing/steady-environment.ts'
import { readWorkspace, repository } from './tools/workspace.ts'

makeEnvironmentSteady()

// Tests run on the sources of the packages. No other condition must be listed here: with `import` or `default`, Vite loads a
// CommonJS package such as `pg` as a module object.
const fromSource = { ssr: { resolve: { conditions: ['@countersign/source'] } } }

const besides = ['tools', 'examples', 'bench'].map((name) => ({ name, directory: join(repository, name) }))

const everywhere = ['**/node_modules/**', '**/dist/**', '**/.types/**', '**/.next/**']
/**
 * Limits for tests that hang, and the end of what they leave behind. The times do not measure speed: a busy machine needs long for
 * a few password hashes.
 */
const bounds = {
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 30_000 } },
  setupFiles: [join(repository, 'tools', 'testing', 'setup.ts')],
}
/**
 * The files of a worker share the loaded modules; loading the modules again for each file took half of the processor time. So
 * spies, globals and variables are put back before each test.
 */
const sharing = { isolate: false, restoreMocks: true, unstubEnvs: true, unstubGlobals: true }

/** Suites that drive a browser, in any package. They are a project of their own, because only they need a browser. */
const inBrowser = '**/test/browser/**/*.test.ts'
const browser = {
  ...fromSource,
  root: repository,
  test: {
    name: browserProject,
    include: [inBrowser],
    exclude: everywhere,
    ...bounds,
    ...sharing,
  },
}

/** Runs the core last: its many files are short, so that no worker is left alone with a long one at the end. */
class CoreLast extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]): ReturnType<BaseSequencer['sort']> {
    const isCore = ({ project }: (typeof files)[number]) => Number(project.name === '@countersign/core')
    return (await super.sort(files)).sort((a, b) => isCore(a) - isCore(b))
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: CoreLast },
    // Many test files wait for PostgreSQL or for another process and leave a processor idle, so more run at once than there
    // are processors. Vitest's default is one fewer.
    maxWorkers: availableParallelism() + 2,
    globalSetup: ['./tools/testing/postgres.ts', './tools/testing/chromium.ts'],
    projects: [
      ...[...readWorkspace(), ...besides].map(({ name, directory }) => ({
        ...fromSource,
        // One root for all, so that a source is compiled once and not once for each project.
        root: repository,
        test: { name, dir: directory, include: ['**/*.test.ts'], exclude: [...everywhere, inBrowser], ...bounds, ...sharing },
      })),
      browser,
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', 'packages/*/src/testing/**'],
    },
  },
})
