import type { KnipConfig } from 'knip'

export default {
  workspaces: {
    '.': {
      entry: ['tools/*/run.ts', 'tools/testing/*.ts'],
      project: ['tools/**/*.{ts,mjs}', '*.{ts,mjs}'],
      // Run as commands, by the checks.
      ignoreDependencies: ['@arethetypeswrong/cli', 'dependency-cruiser', 'publint'],
    },
    'packages/cli': { entry: ['src/bin.ts'] },
    // wrk is asked for with an option only.
    bench: { entry: ['src/main.ts', 'src/{flows,raw,servers,workers}/*.ts'], ignoreBinaries: ['wrk'] },
    // Imported by storage-sql, which each adapter carries within itself.
    'packages/storage-postgres': { ignoreDependencies: ['lru-cache'] },
  },
  // A type that stands in the signature of an export belongs to it.
  ignoreExportsUsedInFile: { interface: true, type: true },
} satisfies KnipConfig
