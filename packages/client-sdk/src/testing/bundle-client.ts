import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { slimOperations } from '../../slim-operations.ts'

export interface ClientBundle {
  readonly code: string
  /** The source files of the bundle, relative to the repository. */
  readonly files: readonly string[]
}

const repository = fileURLToPath(new URL('../../../..', import.meta.url))

/**
 * Bundles a module that imports from the client, as the bundler of an app does: minified, without unused code. The bundle is a
 * module, or a script that puts its exports into a variable `bundled`.
 */
export const bundleClient = async (contents: string, format: 'esm' | 'iife' = 'esm'): Promise<ClientBundle> => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: contents
        .replaceAll(
          /@countersign\/client-sdk\/(display|events|passkey-approvals|react|receipt|server)/g,
          './packages/client-sdk/src/$1/index.ts',
        )
        .replaceAll('@countersign/client-sdk', './packages/client-sdk/src/index.ts'),
      resolveDir: repository,
    },
    absWorkingDir: repository,
    bundle: true,
    minify: true,
    format,
    globalName: 'bundled',
    target: 'es2022',
    platform: 'neutral',
    external: ['react'],
    conditions: ['@countersign/source'],
    plugins: [slimOperations],
    metafile: true,
    write: false,
    outfile: 'bundle.js',
  })
  const files = Object.keys(metafile.inputs).filter((file) => file !== '<stdin>')
  return { code: outputFiles[0]?.text ?? '', files }
}
