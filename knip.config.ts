import type { KnipConfig } from 'knip'

export default {
  workspaces: {
    '.': {
      entry: ['tools/*/run.ts', 'tools/testing/*.ts', 'tools/docs/stand-ins/*.ts'],
      project: ['tools/**/*.{ts,mjs}', '*.{ts,mjs}'],
      // Run as commands, by the checks; webpack by a script that a test writes.
      ignoreDependencies: ['@arethetypeswrong/cli', 'dependency-cruiser', 'publint', 'webpack'],
    },
    // Started as their READMEs say, called by Next by their names, or started by tests.
    examples: {
      entry: ['*/server.ts', 'next/app/**/route.ts', 'next/instrumentation.ts', 'next/next.config.ts', 'testing/write-users.ts'],
    },
    // Imported by the packages that the command carries within itself.
    'packages/cli': {
      entry: ['src/bin.ts'],
      ignoreDependencies: ['@node-rs/argon2', '@redis/client', 'better-sqlite3', 'standardwebhooks'],
    },
    // Bundled by a test, which hands it to other runtimes.
    'packages/client-sdk': { entry: ['src/testing/walk.ts'] },
    // Bundled into the page at /playground; index.html names it by what it becomes.
    'packages/playground': { entry: ['src/main.tsx'] },
    // Likewise, at /docs.
    'packages/reference': { entry: ['src/main.ts'] },
    // wrk is asked for with an option only; chrt is used where it is there.
    bench: { entry: ['src/main.ts', 'src/{flows,raw,servers,workers}/*.ts'], ignoreBinaries: ['chrt', 'wrk'] },
    // Imported by storage-sql, which each adapter carries within itself.
    // And one file is started by a test, as a process of its own.
    'packages/storage-postgres': { entry: ['test/close-when-told.ts'], ignoreDependencies: ['lru-cache', 'p-limit'] },
    'packages/storage-sqlite': { ignoreDependencies: ['p-limit'] },
  },
  // Of the machine: the tests say where they are missing.
  ignoreBinaries: ['fish', 'mkfifo', 'nginx', 'openssl', 'redis-server'],
  // A type that stands in the signature of an export belongs to it.
  ignoreExportsUsedInFile: { interface: true, type: true },
} satisfies KnipConfig
