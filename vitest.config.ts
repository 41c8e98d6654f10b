import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { readWorkspace, repository } from './tools/workspace.ts'

// Packages are tested from their sources. No other condition may stand here: with `import` or `default`, vite loads a
// CommonJS package such as `pg` as a module object.
const fromSource = { ssr: { resolve: { conditions: ['@countersign/source'] } } }

const tools = { name: 'tools', directory: join(repository, 'tools') }
const bench = { name: 'bench', directory: join(repository, 'bench') }

export default defineConfig({
  test: {
    globalSetup: './tools/testing/postgres.ts',
    projects: [...readWorkspace(), tools, bench].map(({ name, directory }) => ({
      ...fromSource,
      root: directory,
      test: {
        name,
        include: ['**/*.test.ts'],
        exclude: ['**/node_modules/**', '**/dist/**', '**/.types/**'],
        // Bounds for what hangs. They are no measure of speed: a busy machine may take long over a few password hashes.
        testTimeout: 30_000,
        hookTimeout: 60_000,
      },
    })),
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', 'packages/*/src/testing/**'],
    },
  },
})
