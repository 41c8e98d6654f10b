import { readFileSync } from 'node:fs'

/** The packages of the repository that each package may import. Its package.json lists the others. */
const mayImport = {
  contract: [],
  core: ['contract'],
  'storage-sql': ['core'],
  'storage-sqlite': ['storage-sql', 'core'],
  'storage-postgres': ['storage-sql', 'core'],
  server: ['contract', 'core', 'storage-sqlite', 'storage-postgres'],
  cli: ['server', 'core', 'contract', 'client-sdk'],
  'client-sdk': ['contract'],
  playground: ['client-sdk', 'contract'],
  approver: ['client-sdk'],
  reference: [],
}

/** Tests and their helpers may import everything in the package's package.json. */
const forTests = String.raw`\.test\.ts$|/src/testing/`

/** The entry of the client for programs on Node. */
const forNode = '^packages/client-sdk/src/node/'

const directions = Object.entries(mayImport).map(([name, others]) => ({
  name: `${name}-imports-only-${others.length === 0 ? 'itself' : others.join('-')}`,
  comment: 'The table of import directions in docs/architecture.md. Business rules import neither transport nor storage.',
  from: { path: `^packages/${name}/src/`, pathNot: forTests },
  to: { path: '^packages/', pathNot: `^packages/(${[name, ...others].join('|')})/` },
}))

/** The three parts of the product, and which of the others each may use. */
const parts = { identity: [], approvals: ['identity'], projects: ['identity', 'approvals'] }

const partDirections = Object.entries(parts).map(([part, others]) => ({
  name: `${part}-uses-only-${['shared', ...others].join('-')}`,
  comment:
    'The three parts have one import direction in every package: a host may leave projects out, and identity needs no other part.',
  from: { path: `^packages/([^/]+)/src/${part}/`, pathNot: forTests },
  to: {
    path: `^packages/$1/src/(${Object.keys(parts)
      .filter((other) => other !== part && !others.includes(other))
      .join('|')})/`,
  },
}))

const words = (...lines) => lines.join(' ').split(' ')

/** The folders and files of each part of the core, from the ground up. Each imports only what is above it in this list. */
const floors = {
  identity: words(
    'host-field-checks refusals sealed-columns digest-key rate-limits records login-throttle stores options base-deps user-model hashing push',
    'tokens one-time-codes trust deps authentication challenges sessions signers decoys login devices passkeys passwords',
    'service-tokens user-administration bind',
  ),
  approvals: words(
    'sealed-columns action-types receipt-keys records stores action-display observer gate-options options',
    'receipt-issuer deps confirmations account-endings events archive policies requests use vouching askers decisions',
    'receipts services history withdrawals doors bind data-of-user',
  ),
  projects: words('records options product-schemas stores deps customers imports projects expenses resources bind'),
}

const nodes = (part, names) => `^packages/core/src/${part}/(${names.join('|')})(/|\\.ts$)`

const floorRules = Object.entries(floors).flatMap(([part, names]) => [
  ...names.slice(0, -1).map((name, index) => ({
    name: `${part}-${name}-imports-only-lower-floors`,
    comment: 'No cycles between the folders of the core, also for types: each folder imports only folders below it.',
    from: { path: nodes(part, [name]), pathNot: forTests },
    to: { path: nodes(part, names.slice(index + 1)) },
  })),
  {
    name: `${part}-has-a-floor-for-every-folder`,
    comment: 'A new folder of the core needs its place in the list of floors.',
    from: { path: `^packages/core/src/${part}/`, pathNot: `${forTests}|${nodes(part, names)}` },
    to: {},
  },
])

// The use cases of the core are the function declarations that a part's bind.ts imports from the part's folders.
const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8')
const bindings = ['identity', 'approvals', 'projects'].map((part) => {
  const source = read(`packages/core/src/${part}/bind.ts`)
  return [...source.matchAll(/^import \{[^}]*\} from '\.\/([a-z-]+\/[a-z-]+)\.ts'$/gm)]
    .map(([, path]) => `${part}/${path}`)
    .filter((path) => /^export (async )?function /m.test(read(`packages/core/src/${path}.ts`)))
})
const useCases = bindings.flat()

const forbidden = [
  {
    name: 'no-cycles',
    comment: 'Two files that import each other, even for types, are one unit. Move their common part into a file of its own.',
    from: { path: '^(packages/[^/]+|bench|examples|tools)/' },
    to: { circular: true, viaOnly: { path: '^$1/' } },
  },
  {
    name: 'everything-resolves',
    comment: 'An unresolved import would escape every other rule.',
    from: {},
    to: { couldNotResolve: true },
  },
  ...directions,
  ...partDirections,
  ...floorRules,
  {
    name: 'shared-knows-no-part',
    comment: 'The shared code cannot import a part, because all parts import the shared code.',
    from: { path: '^packages/([^/]+)/src/shared/', pathNot: forTests },
    to: { path: '^packages/$1/src/(identity|approvals|projects)/' },
  },
  {
    name: 'domains-share-no-use-cases',
    comment:
      'A domain of the core imports types, stores, rules and errors of another domain, never its use cases. Code that two use cases share belongs in a file of its own.',
    from: { path: '^packages/core/src/([^/]+/[^/]+)/', pathNot: forTests },
    to: {
      path: `^packages/core/src/(${useCases.join('|')})\\.ts$`,
      pathNot: '^packages/core/src/$1/',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'migrations-are-frozen',
    comment:
      'A released migration never changes, so it imports nothing that may change: only Kysely, other files of its folder, and types.',
    from: { path: '^packages/storage-[^/]+/src/migrations/', pathNot: forTests },
    to: { pathNot: '^packages/storage-[^/]+/src/migrations/|node_modules/kysely/', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'one-file-opens-storage',
    comment: 'The server imports no database driver; one file chooses the adapter.',
    from: { path: '^packages/(server|cli)/src/', pathNot: `${forTests}|^packages/server/src/open-storage\\.ts$` },
    to: { path: '^packages/storage-' },
  },
  {
    name: 'adapters-are-opened-lazily',
    comment: 'A driver is loaded only when it is configured, so that it may be missing otherwise.',
    from: { path: '^packages/server/src/open-storage\\.ts$' },
    to: { path: '^packages/storage-', dynamic: false, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'redis-is-opened-lazily',
    comment: 'Most installations use no Redis. The file that connects loads the driver when a URL is set.',
    from: { path: '^packages/[^/]+/src/', pathNot: forTests },
    to: { path: 'node_modules/@redis/', dynamic: false, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'passkeys-are-verified-lazily',
    comment:
      'The library that verifies passkeys has many modules. It is loaded at its first use, so that a server starts faster.',
    from: {
      path: '^packages/core/src/',
      pathNot: `${forTests}|/passkeys/(ceremonies|verify-creation|verify-assertion|authenticator-data|decoy-passkey|cose-key|cbor)\\.ts$`,
    },
    to: {
      path: String.raw`node_modules/@simplewebauthn/|/passkeys/(ceremonies|verify-creation|verify-assertion|decoy-passkey)\.ts$`,
      dynamic: false,
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'schemas-are-compiled-lazily',
    comment: 'The JSON Schema engine and its libraries are loaded at their first use, so that a server starts faster.',
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
      'A browser loads only the tables of operations and of error codes from the contract, and the rendering of displays in an entry of its own; all other imports are types.',
    from: { path: '^packages/client-sdk/src/', pathNot: forTests },
    to: {
      path: '^packages/contract/',
      pathNot: '/(operations/[a-z]+|error-codes|display/index)\\.ts$',
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'client-and-contract-run-anywhere',
    comment: 'These packages run in browsers, and the first two in React Native, without the modules of Node.',
    from: { path: '^packages/(client-sdk|contract|playground|approver|reference)/src/', pathNot: `${forTests}|${forNode}` },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'what-is-for-node-stays-apart',
    comment: 'The code for Node is a separate entry, which a browser never loads.',
    from: { path: '^packages/client-sdk/src/', pathNot: `${forTests}|${forNode}` },
    to: { path: forNode },
  },
  {
    name: 'examples-use-what-is-exported',
    comment: 'A host can import only the entries of the packages.',
    from: { path: '^examples/' },
    to: {
      path: '^packages/',
      pathNot: String.raw`^packages/[^/]+/src/(index|approver|types|clients/index|storage/index|testing/index|testing/contract/index|receipt/index|server/index|verifier/index)\.ts$`,
    },
  },
  {
    name: 'examples-are-not-imported',
    comment: 'Examples show the product and are no part of it.',
    from: { pathNot: '^examples/' },
    to: { path: '^examples/' },
  },
  {
    name: 'test-helpers-of-the-core-know-no-storage',
    comment: 'The core exports its test helpers, and a storage depends on the core. Only tests of the core import a storage.',
    from: { path: '^packages/core/src/', pathNot: String.raw`\.test\.ts$` },
    to: { path: '^packages/storage-' },
  },
  {
    name: 'tests-are-not-imported',
    comment: 'Helpers that tests share belong in a folder `testing`.',
    from: {},
    to: { path: '\\.test\\.ts$' },
  },
  {
    name: 'testing-stays-out-of-the-product',
    comment: 'Product code must not import test helpers.',
    from: { path: '^packages/[^/]+/src/', pathNot: forTests },
    to: { path: '^packages/[^/]+/src/testing/' },
  },
]

export default {
  forbidden: forbidden.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    doNotFollow: { path: 'node_modules' },
    // Excludes the build output of our own packages. The build output of other packages stays, because imports lead there.
    // Scripts of pages import by URL.
    exclude: { path: '^(?!.*node_modules/).*/(dist|\\.types|\\.next)/|^examples/bank/public/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@countersign/source', 'import', 'types', 'default'],
    },
  },
}
