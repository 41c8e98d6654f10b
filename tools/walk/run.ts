import { fileURLToPath } from 'node:url'
import { launch } from '../launch.mjs'

const script = fileURLToPath(new URL('walk.ts', import.meta.url))

/** `npm run walk -- login`: prints the files that a request runs through, from the sources. Resolves with the exit code. */
export const run = (args: readonly string[]): Promise<number> =>
  launch(process.execPath, ['--conditions=@countersign/source', '--disable-warning=ExperimentalWarning', script, ...args])
