/** Next calls this once as it starts: a database that cannot be opened, or a bad setting, shows then and not at the first request. */
export const register = async (): Promise<void> => {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { opened } = await import('./lib/countersign.ts')
  await opened()
}
