/**
 * Opens Countersign when Next starts. A bad setting or an unreachable database ends the process: Next itself would go on after a
 * rejection, and answer every request with 500.
 */
export const register = async (): Promise<void> => {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { openedOrExit } = await import('./lib/countersign.ts')
  await openedOrExit()
}
