import { defineConfig } from 'vitest/config'
import { readWorkspace } from './tools/workspace.ts'

// Packages are tested from their sources. No other condition may stand here: with `import` or `default`, vite loads a
// CommonJS package such as `pg` as a module object.
const fromSource = { ssr: { resolve: { conditions: ['@countersign/source'] } } }

export default defineConfig({
  test: {
    globalSetup: './tools/testing/postgres.ts',
    projects: readWorkspace().map(({ name, directory }) => ({
      ...fromSource,
      root: directory,
      test: { name, include: ['src/**/*.test.ts', 'test/**/*.test.ts'] },
    })),
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', 'packages/core/src/testing/**'],
    },
  },
})
