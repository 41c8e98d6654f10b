const LEAST = { major: 22, minor: 18 }

/**
 * Why this version of Node cannot run the command, or `undefined` where it can. Imports nothing: it is asked before
 * anything else is loaded, because native modules built for newer versions crash an older Node without a word.
 *
 * @param version As in `process.versions.node`.
 */
export const nodeRefusal = (version: string): string | undefined => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > LEAST.major || (major === LEAST.major && minor >= LEAST.minor)) return undefined
  return `countersign needs Node ${LEAST.major}.${LEAST.minor} or newer, and this is Node ${version}`
}
