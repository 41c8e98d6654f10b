import { readFileSync } from 'node:fs'

/** The version of the package, which the build writes in place of this name. Without the build, the name is not defined. */
declare const COUNTERSIGN_VERSION: string | undefined

export const readVersion = (): string => {
  if (typeof COUNTERSIGN_VERSION === 'string') return COUNTERSIGN_VERSION
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}
