import { buildIfNeeded } from '../build/build.ts'

/** `npm start`: builds changed packages, and serves until a signal ends the server. Resolves with the exit code. */
export const run = async (args: readonly string[]): Promise<number> => {
  if (args.length > 0) {
    console.error('error: npm start takes no arguments; COUNTERSIGN_HOST and COUNTERSIGN_PORT say where it listens')
    return 1
  }
  if (!(await buildIfNeeded())) return 1
  // The import needs the build.
  const { start } = await import('./start.ts')
  return start()
}
