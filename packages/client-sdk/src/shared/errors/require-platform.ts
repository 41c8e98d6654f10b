import { unsupported } from './unsupported.ts'

/** Checks that the platform has these globals. @throws CountersignError `UNSUPPORTED` that names those which are missing */
export const requirePlatform = (...names: readonly (keyof typeof globalThis)[]): void => {
  const missing = names.filter((name) => !globalThis[name])
  if (missing.length > 0) throw unsupported(missing.join(', '))
}
