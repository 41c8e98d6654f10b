/** Checks the settings when Next starts. Next itself would go on after a rejection, and answer every request with 500. */
export const register = async (): Promise<void> => {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { checkSettings } = await import('./lib/check-settings.ts')
  checkSettings()
}
