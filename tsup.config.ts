import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { slimOperations } from './packages/client-sdk/build/slim-operations.ts'
import { noticesOf } from './tools/build/notices.ts'
import { entriesOf, type Page, pages, SOURCE } from './tools/build/outputs.ts'
import { takeBuiltins } from './tools/build/take-builtins.ts'
import { readWorkspace, type WorkspacePackage } from './tools/workspace.ts'

const client = '@countersign/client-sdk'

/** These also run where there is no Node. */
const portable = [client, '@countersign/contract']

/**
 * Libraries that packages carry, by the file of their license.
 * - `kysely`: in one file with an adapter's own code. To load its 257 files took a third of what a server's start took.
 * - `jsonc-parser`: Node loads a file of it that asks for others by names that bundlers cannot follow, so that the bundle of a
 *   host stopped at its start. This build takes its ES modules.
 */
const carried: Readonly<Record<string, string>> = { kysely: 'LICENSE', 'jsonc-parser': 'LICENSE.md' }

/** The licenses of the libraries that are built into a package, which must go with it. */
const noticesIn = ({ directory, manifest }: WorkspacePackage): string =>
  Object.entries(carried)
    .filter(([library]) => library in { ...manifest.devDependencies })
    .map(([library, file]) => {
      const license = readFileSync(join(directory, 'node_modules', library, file), 'utf8')
      return `/*!\n${library} is built into this package.\n\n${license.trim()}\n*/`
    })
    .join('\n')

/** What all packages share. Source maps, which nobody loads who does not ask for them, lie beside the code. */
const built = (one: WorkspacePackage): Options => ({
  name: basename(one.directory),
  entry: Object.fromEntries(
    [...entriesOf(one)].map(([output, source]) => [output.replace(/^\.\/dist\/(.*)\.js$/, '$1'), join(one.directory, source)]),
  ),
  outDir: join(one.directory, 'dist'),
  format: 'esm',
  target: 'node22',
  dts: false,
  sourcemap: true,
  // Several entries of one package share their modules, so that an error class is the same class through each of them.
  splitting: true,
  removeNodeProtocol: false,
  silent: true,
})

/** The JavaScript of a package; the compiler emits the declarations beside it (tsconfig.build.json). */
const library = (one: WorkspacePackage): Options => ({
  ...built(one),
  platform: portable.includes(one.name) ? 'neutral' : 'node',
  skipNodeModulesBundle: true,
  // Private, so each adapter carries it; and of the contract the client carries its part of the table of operations.
  noExternal: one.name === client ? ['@countersign/contract'] : ['@countersign/storage-sql', ...Object.keys(carried)],
  ...(noticesIn(one) !== '' && { banner: { js: noticesIn(one) } }),
  esbuildPlugins: one.name === client ? [slimOperations] : [],
  esbuildOptions: (options) => {
    options.conditions = [SOURCE]
    // `sideEffects: false` is for those who bundle the packages; here it would drop an import that is there for its effect.
    options.ignoreAnnotations = true
  },
})

/** Libraries of before ES modules ask for Node's own; anything else that they may ask for is looked for beside them. */
const REQUIRE =
  "const require = (id) => process.getBuiltinModule(id) ?? process.getBuiltinModule('module').createRequire(import.meta.url)(id)"

/**
 * A command, with all that it runs: some files instead of two hundred, of which to find, read and link each took more than
 * half of a start. Loaded from elsewhere is what its package.json names as a dependency: native modules, drivers, and a library
 * whose package has no license that could go with it.
 */
const command = (one: WorkspacePackage): Options => ({
  ...built(one),
  platform: 'node',
  external: Object.keys(one.manifest.dependencies ?? {}),
  banner: { js: REQUIRE },
  plugins: [{ name: 'take-builtins', renderChunk: (code) => ({ code: takeBuiltins(code) }) }],
  esbuildPlugins: [
    {
      name: 'notices',
      setup: ({ onEnd }) => {
        onEnd(({ metafile }) => {
          mkdirSync(join(one.directory, 'dist'), { recursive: true })
          writeFileSync(join(one.directory, 'dist', 'third-party-licenses.txt'), noticesOf(Object.keys(metafile?.inputs ?? {})))
        })
      },
    },
  ],
  esbuildOptions: (options) => {
    options.conditions = [SOURCE]
    // Of names and lines in the libraries' sources, the texts are not needed.
    options.sourcesContent = false
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
    .map((one) => (one.manifest.bin === undefined ? library(one) : command(one))),
  ...pages.map(page),
])
