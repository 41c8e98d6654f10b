import { basename, join } from 'node:path'
import { defineConfig } from 'tsup'
import { slimOperations } from './packages/client-sdk/build/slim-operations.ts'
import { entriesOf, SOURCE } from './tools/build/outputs.ts'
import { readWorkspace } from './tools/workspace.ts'

const client = '@countersign/client-sdk'

/** These also run where there is no Node. */
const portable = [client, '@countersign/contract']

/** The JavaScript of every package; the compiler emits the declarations beside it (tsconfig.build.json). */
export default defineConfig(
  readWorkspace().map((one) => ({
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
    noExternal: one.name === client ? ['@countersign/contract'] : ['@countersign/storage-sql'],
    esbuildPlugins: one.name === client ? [slimOperations] : [],
    removeNodeProtocol: false,
    silent: true,
    esbuildOptions: (options) => {
      options.conditions = [SOURCE]
      // `sideEffects: false` is for those who bundle the packages; here it would drop an import that is there for its effect.
      options.ignoreAnnotations = true
    },
  })),
)
