import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { slimOperations } from './packages/client-sdk/build/slim-operations.ts'
import { entriesOf, type Page, pages, SOURCE } from './tools/build/outputs.ts'
import { readWorkspace, type WorkspacePackage } from './tools/workspace.ts'

const client = '@countersign/client-sdk'

/** These also run where there is no Node. */
const portable = [client, '@countersign/contract']

/** These carry the builder of queries. */
const adapters = ['@countersign/storage-sqlite', '@countersign/storage-postgres']

/** The license of a library that is built into a package, which must go with it. */
const noticeOf = (library: string, { directory }: WorkspacePackage): string => {
  const license = readFileSync(join(directory, 'node_modules', library, 'LICENSE'), 'utf8')
  return `/*!\n${library} is built into this file.\n\n${license.trim()}\n*/`
}

/** The JavaScript of a package; the compiler emits the declarations beside it (tsconfig.build.json). */
const library = (one: WorkspacePackage): Options => ({
  name: basename(one.directory),
  entry: Object.fromEntries(
    [...entriesOf(one)].map(([output, source]) => [output.replace(/^\.\/dist\/(.*)\.js$/, '$1'), join(one.directory, source)]),
  ),
  outDir: join(one.directory, 'dist'),
  format: 'esm',
  target: 'node22',
  platform: portable.includes(one.name) ? 'neutral' : 'node',
  dts: false,
  sourcemap: true,
  // Several entries of one package share their modules, so that an error class is the same class through each of them.
  splitting: true,
  skipNodeModulesBundle: true,
  // Private, so each adapter carries it; and of the contract the client carries its part of the table of operations.
  noExternal: one.name === client ? ['@countersign/contract'] : ['@countersign/storage-sql', 'kysely'],
  // In one file with the adapter's own code: to load its 257 files took a third of what a server's start took.
  ...(adapters.includes(one.name) && { banner: { js: noticeOf('kysely', one) } }),
  esbuildPlugins: one.name === client ? [slimOperations] : [],
  removeNodeProtocol: false,
  silent: true,
  esbuildOptions: (options) => {
    options.conditions = [SOURCE]
    // `sideEffects: false` is for those who bundle the packages; here it would drop an import that is there for its effect.
    options.ignoreAnnotations = true
  },
})

/** A page, whole: a browser loads nothing that is not in these files. */
const page = ({ name, entries, directory }: Page): Options => ({
  name,
  entry: { ...entries },
  outDir: directory,
  format: 'esm',
  // The browsers of the last years; passkeys as JSON came later than anything that this leaves untranslated.
  target: 'es2022',
  platform: 'browser',
  dts: false,
  splitting: false,
  minify: true,
  noExternal: [/./],
  esbuildPlugins: [slimOperations],
  loader: { '.html': 'copy' },
  silent: true,
  esbuildOptions: (options) => {
    options.conditions = [SOURCE]
    options.jsx = 'automatic'
    options.jsxImportSource = 'preact'
  },
})

export default defineConfig([
  ...readWorkspace()
    .filter((one) => entriesOf(one).size > 0)
    .map(library),
  ...pages.map(page),
])
