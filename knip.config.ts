import type { KnipConfig } from 'knip'

export default {
  workspaces: {
    '.': {
      entry: ['tools/*/run.ts', 'tools/{bench,contents,countersign,pack}.ts', 'tools/testing/*.ts', 'tools/walk/walk.ts'],
      project: ['tools/**/*.{ts,mjs}', '*.{ts,mjs}'],
      // The checks run some packages as commands, and pictures use the fonts. Documents and scripts of tests import the others.
      ignoreDependencies: [
        '@arethetypeswrong/cli',
        '@fontsource/noto-sans',
        '@fontsource/noto-sans-arabic',
        'dejavu-fonts-ttf',
        'dependency-cruiser',
        'express',
        'express-session',
        'publint',
        'webpack',
      ],
    },
    // These files are started by hand as their READMEs say, called by Next by name, or started by tests.
    examples: {
      entry: [
        '*/server.ts',
        'bank/{start,export-bookings}.ts',
        'import-users/*.ts',
        'next-app/{,embedded/}app/**/{layout,page,route}.{ts,tsx}',
        'next-app/{,embedded/}{instrumentation,next.config,proxy}.ts',
        'testing/write-users.ts',
      ],
      // Scripts of pages import by URL.
      ignore: ['bank/public/*.js'],
    },
    // The packages that the command bundles import these libraries.
    'packages/cli': {
      entry: ['src/bin.ts'],
      ignoreDependencies: ['@node-rs/argon2', '@node-rs/bcrypt', 'better-sqlite3', 'standardwebhooks'],
    },
    // Tests bundle these files for other runtimes and for a page.
    'packages/client-sdk': {
      entry: [
        'src/testing/use-whole-client.ts',
        'src/testing/make-vectors.ts',
        'test/browser/react-page.tsx',
        'test/rendering-process.ts',
      ],
    },
    // The build bundles this file into the page at /playground; index.html names the bundle.
    'packages/playground': { entry: ['src/main.tsx'] },
    // The build bundles these files into the page at /approve/; index.html names the bundle, which starts the worker.
    'packages/approver': { entry: ['src/main.tsx', 'src/worker/worker.ts'] },
    // The build bundles this file into the page at /docs.
    'packages/reference': { entry: ['src/main.ts'] },
    // The command chrt exists only on some machines.
    bench: { entry: ['src/main.ts', 'src/programs/*.ts'], ignoreBinaries: ['cc', 'chrt'] },
    // storage-sql, which each adapter bundles, imports these libraries. A test starts the entry in a process of its own.
    'packages/storage-postgres': { entry: ['test/close-on-input.ts'], ignoreDependencies: ['lru-cache', 'p-limit'] },
    'packages/storage-sqlite': { ignoreDependencies: ['p-limit'] },
  },
  // These programs belong to the machine, and no package installs them. Tests that need a missing program report this.
  ignoreBinaries: ['Xvfb', 'WebKitWebDriver', 'fish', 'haproxy', 'mkfifo', 'openssl', 'promtool', 'redis-server', 'sha256sum'],
  // A type in the signature of an export belongs to this export.
  ignoreExportsUsedInFile: { interface: true, type: true },
} satisfies KnipConfig
