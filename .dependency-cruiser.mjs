import { readFileSync } from 'node:fs'

/** What each package may import of the others. What comes from outside stands in its package.json. */
const mayImport = {
  contract: [],
  core: ['contract'],
  'storage-sql': ['core'],
  'storage-sqlite': ['storage-sql', 'core'],
  'storage-postgres': ['storage-sql', 'core'],
  server: ['contract', 'core', 'storage-sqlite', 'storage-postgres'],
  cli: ['server', 'core', 'contract'],
  'client-sdk': ['contract'],
  playground: ['client-sdk', 'contract'],
  reference: [],
}

/** Tests, and what is there for tests, may import what the package's package.json names. */
const forTests = String.raw`\.test\.ts$|/src/testing/`

/** The entry of the client for programs on Node. */
const forNode = '^packages/client-sdk/src/node/'

const directions = Object.entries(mayImport).map(([name, others]) => ({
  name: `${name}-imports-only-${others.length === 0 ? 'itself' : others.join('-')}`,
  comment: 'The table of directions in docs/architecture.md: rules never know what carries or stores them.',
  severity: 'error',
  from: { path: `^packages/${name}/src/`, pathNot: forTests },
  to: { path: '^packages/', pathNot: `^packages/(${[name, ...others].join('|')})/` },
}))

/** The three parts of the product, and which of the others each may use. */
const parts = { identity: [], approvals: ['identity'], projects: ['identity', 'approvals'] }

const partDirections = Object.entries(parts).map(([part, others]) => ({
  name: `${part}-uses-only-${['shared', ...others].join('-')}`,
  comment: 'The three parts have one direction, in every package: a host may leave projects out, and identity stands alone.',
  severity: 'error',
  from: { path: `^packages/([^/]+)/src/${part}/`, pathNot: forTests },
  to: {
    path: `^packages/$1/src/(${Object.keys(parts)
      .filter((other) => other !== part && !others.includes(other))
      .join('|')})/`,
  },
}))

// The use cases of the core are the functions that a part binds: the values that bind.ts imports from the part's folders.
const bindings = ['identity', 'approvals', 'projects'].map((part) => {
  const source = readFileSync(new URL(`packages/core/src/${part}/bind.ts`, import.meta.url), 'utf8')
  return [...source.matchAll(/^import \{[^}]*\} from '\.\/([a-z-]+\/[a-z-]+)\.ts'$/gm)].map(([, path]) => `${part}/${path}`)
})
const useCases = bindings.flat()

export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'What imports each other, types included, is one thing in several files: name the part both stand on. Between packages, the directions leave no room for cycles.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: { circular: true, viaOnly: { path: '^packages/$1/' } },
    },
    {
      name: 'everything-resolves',
      comment: 'An import that leads nowhere would escape every other rule.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    ...directions,
    ...partDirections,
    {
      name: 'shared-knows-no-part',
      comment: 'What all parts stand on cannot stand on one of them.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/src/shared/', pathNot: forTests },
      to: { path: '^packages/$1/src/(identity|approvals|projects)/' },
    },
    {
      name: 'domains-share-no-use-cases',
      comment:
        "A domain of the core uses another's types, stores, rules and errors, never its use cases: what two use cases share is a file of its own.",
      severity: 'error',
      from: { path: '^packages/core/src/([^/]+/[^/]+)/', pathNot: forTests },
      to: {
        path: `^packages/core/src/(${useCases.join('|')})\\.ts$`,
        pathNot: '^packages/core/src/$1/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'one-file-opens-storage',
      comment: 'The server knows no database; one file chooses among the adapters.',
      severity: 'error',
      from: { path: '^packages/(server|cli)/src/', pathNot: `${forTests}|^packages/server/src/open-storage\\.ts$` },
      to: { path: '^packages/storage-' },
    },
    {
      name: 'adapters-are-opened-lazily',
      comment: 'A driver that is not asked for is not loaded, and need not even be able to load.',
      severity: 'error',
      from: { path: '^packages/server/src/open-storage\\.ts$' },
      to: { path: '^packages/storage-', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'redis-is-opened-lazily',
      comment: 'Most installations have none: its driver is loaded by the file that connects, once a URL is set.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: forTests },
      to: { path: 'node_modules/@redis/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'passkeys-are-verified-lazily',
      comment: 'The library that verifies them is more than half of all modules: a start of a server waits for none of it.',
      severity: 'error',
      from: {
        path: '^packages/core/src/',
        pathNot: `${forTests}|/passkeys/(ceremonies|verify-creation|verify-assertion|decoy-passkey|cose-key|cbor)\\.ts$`,
      },
      to: {
        path: String.raw`node_modules/@simplewebauthn/|/passkeys/(ceremonies|verify-creation|verify-assertion|decoy-passkey)\.ts$`,
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'schemas-are-compiled-lazily',
      comment: 'A start of a server does not wait for the engine of schemas and its libraries.',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: `${forTests}|/core/src/shared/json-schema/` },
      to: {
        path: String.raw`/core/src/shared/json-schema/(engine|check-schema|compile-schema|pattern|compatibility/breaking-changes)\.ts$`,
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'client-stays-small',
      comment:
        'Of the contract, a browser loads the tables of operations and of error codes and nothing else; the rest is types.',
      severity: 'error',
      from: { path: '^packages/client-sdk/src/', pathNot: forTests },
      to: { path: '^packages/contract/', pathNot: '/(operations/[a-z]+|error-codes)\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'client-and-contract-run-anywhere',
      comment: 'They run in browsers, the first two in React Native as well, where nothing of Node is.',
      severity: 'error',
      from: { path: '^packages/(client-sdk|contract|playground|reference)/src/', pathNot: `${forTests}|${forNode}` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'what-is-for-node-stays-apart',
      comment: 'An entry of its own, which a browser never loads.',
      severity: 'error',
      from: { path: '^packages/client-sdk/src/', pathNot: `${forTests}|${forNode}` },
      to: { path: forNode },
    },
    {
      name: 'examples-use-what-is-exported',
      comment: 'A host has the entries of the packages and nothing behind them.',
      severity: 'error',
      from: { path: '^examples/' },
      to: {
        path: '^packages/',
        pathNot: ['', 'testing/', 'testing/contract/', 'storage/']
          .map((entry) => `^packages/[^/]+/src/${entry}index\\.ts$`)
          .concat('^packages/[^/]+/src/errors\\.ts$'),
      },
    },
    {
      name: 'examples-are-not-imported',
      comment: 'They show the product, and are no part of it.',
      severity: 'error',
      from: { pathNot: '^examples/' },
      to: { path: '^examples/' },
    },
    {
      name: 'tests-are-not-imported',
      comment: 'What tests share lives in a folder `testing`.',
      severity: 'error',
      from: {},
      to: { path: '\\.test\\.ts$' },
    },
    {
      name: 'testing-stays-out-of-the-product',
      comment: 'What is there for tests is for tests; the product must not grow on it.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: forTests },
      to: { path: '^packages/[^/]+/src/testing/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Of our own packages. What others are built into is what imports of them lead to.
    exclude: { path: '^(?!.*node_modules/).*/(dist|\\.types)/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@countersign/source', 'import', 'types', 'default'],
    },
  },
}
