import { buildIfNeeded } from '../build/build.ts'

/** `npm run demo`: runs the demonstration on the built packages. Resolves with the exit code. */
export const run = async (args: readonly string[]): Promise<number> => {
  if (!(await buildIfNeeded())) return 1
  // Imports the packages, which exist only once they are built.
  const { demo } = await import('./demo.ts')
  return demo(args)
}
