import { buildIfNeeded } from '../build/build.ts'

/** `npm start`: builds what has changed, and serves until a signal ends it. Resolves with the exit code. */
export const run = async (args: readonly string[]): Promise<number> => {
  if (args.length > 0) {
    console.error('error: npm start takes no arguments; COUNTERSIGN_HOST and COUNTERSIGN_PORT say where it listens')
    return 1
  }
  if (!(await buildIfNeeded())) return 1
  // Not before it is built.
  const { start } = await import('./start.ts')
  return start()
}
