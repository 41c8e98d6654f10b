/**
 * Opens Countersign when Next starts, so that a bad setting or an unreachable database fails the start and not the first
 * request.
 */
export const register = async (): Promise<void> => {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { opened } = await import('./lib/countersign.ts')
  await opened()
}
