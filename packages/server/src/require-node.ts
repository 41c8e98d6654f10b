import { StartupError } from './startup-error.ts'

const OLDEST: readonly [major: number, minor: number] = [22, 18]

/** Refuses a Node.js version on which the server would fail later without naming the cause. @throws StartupError */
export const requireNode = (version: string): void => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return
  throw new StartupError([`Countersign needs Node.js ${OLDEST.join('.')} or newer; this is ${version}`])
}
