const OLDEST: readonly [major: number, minor: number] = [22, 18]

/**
 * Refuses a Node.js version on which the native SQLite module would end the process without a message.
 *
 * @throws Error with one line
 */
export const requireNode = (version: string): void => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return
  throw new Error(`Countersign needs Node.js ${OLDEST.join('.')} or newer for its SQLite database; this is ${version}`)
}
