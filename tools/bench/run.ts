import { join } from 'node:path'
import { buildIfNeeded } from '../build/build.ts'
import { launch } from '../launch.mjs'
import { repository } from '../workspace.ts'

/** `npm run bench -- <arguments>`: measures the packages as they are built. Resolves with the exit code. */
export const run = async (args: readonly string[]): Promise<number> =>
  (await buildIfNeeded()) ? launch(process.execPath, [join(repository, 'bench', 'src', 'main.ts'), ...args]) : 1
