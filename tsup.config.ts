import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { slimOperations } from './packages/client-sdk/slim-operations.ts'
import { noticesOf } from './tools/build/notices.ts'
import { entriesOf, type Page, pages, SOURCE } from './tools/build/outputs.ts'
import { takeBuiltins } from './tools/build/take-builtins.ts'
import { readWorkspace, type WorkspacePackage } from './tools/workspace.ts'

const client = '@countersign/client-sdk'

/** Packages that also run without Node. */
const portable = [client, '@countersign/contract']

/**
 * Libraries that packages bundle, with the names of their license files.
 * - `kysely`: one bundled file loads faster at the start of a server than its many files.
 * - `jsonc-parser`: Node would load its UMD file, whose imports bundlers of hosts cannot follow. This build uses its ES modules.
 */
const carried: Readonly<Record<string, string>> = { kysely: 'LICENSE', 'jsonc-parser': 'LICENSE.md' }

/** Returns the licenses of the libraries that are bundled into a package. The package must include them. */
const noticesIn = ({ directory, manifest }: WorkspacePackage): string =>
  Object.entries(carried)
    .filter(([library]) => library in { ...manifest.devDependencies })
    .map(([library, file]) => {
      const license = readFileSync(join(directory, 'node_modules', library, file), 'utf8')
      return `/*!\n${library} is built into this package.\n\n${license.trim()}\n*/`
    })
    .join('\n')

/** Options for all packages. Source maps are separate files, loaded only on demand. */
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
  // The entries of a package share their modules, so that an error class is the same through each entry.
  splitting: true,
  removeNodeProtocol: false,
  define: { COUNTERSIGN_VERSION: JSON.stringify(one.manifest.version ?? null) },
  silent: true,
})

/** Options for the JavaScript of a library; the compiler emits the declarations next to it (tsconfig.build.json). */
const library = (one: WorkspacePackage): Options => ({
  ...built(one),
  platform: portable.includes(one.name) ? 'neutral' : 'node',
  // Without this option, esbuild renames each class that uses its own name, and a host would read `_OtherAction` in its log.
  keepNames: !portable.includes(one.name),
  skipNodeModulesBundle: true,
  // storage-sql is private, so each adapter bundles it. The client bundles its part of the table of operations.
  noExternal: one.name === client ? ['@countersign/contract'] : ['@countersign/storage-sql', ...Object.keys(carried)],
  ...(noticesIn(one) !== '' && { banner: { js: noticesIn(one) } }),
  esbuildPlugins: one.name === client ? [slimOperations] : [],
  esbuildOptions: (options) => {
    options.conditions = [SOURCE]
    // `sideEffects: false` is for bundlers of hosts; here it would remove imports that are needed for their effects.
    options.ignoreAnnotations = true
  },
})

/** Defines `require` for bundled CommonJS libraries. It returns modules of Node, and looks for others next to the bundle. */
const REQUIRE =
  "const require = (id) => globalThis.process.getBuiltinModule(id) ?? globalThis.process.getBuiltinModule('module').createRequire(import.meta.url)(id)"

/**
 * Options for the command, which bundles its dependencies: a few files start much faster than two hundred. Native modules,
 * drivers, and a library without a license file stay dependencies in its package.json. See ADR 0020.
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
    // Source maps keep names and lines of the libraries, without their source texts.
    options.sourcesContent = false
  },
})

const readTexts = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, string>>

/**
 * English is a part of the script, for a page that cannot load the file of its language. The other languages stay files: each is a
 * list of the texts in the order of the English ones, which is a quarter smaller.
 */
const bundleTexts: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'bundle-texts',
  setup: ({ onLoad }) => {
    onLoad({ filter: /languages[\\/]\w+\.json$/ }, ({ path }) => {
      const english = readTexts(join(dirname(path), 'en.json'))
      if (basename(path) === 'en.json') return { contents: JSON.stringify(english), loader: 'json' }
      const texts = readTexts(path)
      return { contents: JSON.stringify(Object.keys(english).map((word) => texts[word])), loader: 'copy' }
    })
  },
}

/** Options for a page with all its scripts: a browser loads only these files. */
const page = ({ name, entries, directory }: Page): Options => ({
  name,
  entry: { ...entries },
  outDir: directory,
  format: 'esm',
  // Browsers of the last years. This target keeps all syntax that is older than JSON for passkeys.
  target: 'es2022',
  platform: 'browser',
  dts: false,
  splitting: false,
  minify: true,
  noExternal: [/./],
  esbuildPlugins: [slimOperations, bundleTexts],
  loader: { '.html': 'copy', '.svg': 'copy', '.png': 'copy', '.json': 'copy' },
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
