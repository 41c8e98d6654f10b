import { join } from 'node:path'
import { buildIfNeeded } from './build/build.ts'
import { launch } from './launch.mjs'
import { repository } from './workspace.ts'

/** `npm run bench -- <arguments>`: runs the benchmarks on the built packages. Resolves with the exit code. */
export const run = async (args: readonly string[]): Promise<number> =>
  (await buildIfNeeded()) ? launch(process.execPath, [join(repository, 'bench', 'src', 'main.ts'), ...args]) : 1
