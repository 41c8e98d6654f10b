import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { launch } from './launch.mjs'
import { repository } from './workspace.ts'

/** `npm run countersign -- <arguments>`: runs the built command on the database of `npm start`, and resolves with its exit code. */
export const run = async (args: readonly string[]): Promise<number> => {
  const command = join(repository, 'packages', 'cli', 'dist', 'bin.js')
  if (existsSync(command)) return launch(process.execPath, [command, ...args])
  console.error('error: the command is not built yet; `npm run build` or `npm start` builds it')
  return 1
}
