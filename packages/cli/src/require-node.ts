const LEAST = { major: 22, minor: 18 }

/**
 * Returns why a version of Node cannot run the command. The file imports nothing, because the check runs before any other module is
 * loaded: native modules for newer versions crash an older Node without a message.
 */
export const nodeRefusal = (version: string): string | undefined => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > LEAST.major || (major === LEAST.major && minor >= LEAST.minor)) return undefined
  return `countersign needs Node ${LEAST.major}.${LEAST.minor} or newer, and this is Node ${version}`
}
