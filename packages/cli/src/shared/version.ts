import { readFileSync } from 'node:fs'

/** The version of the package, which the build writes in place of this name. Without the build, the name is not defined. */
declare const COUNTERSIGN_VERSION: string | undefined

const readManifest = (): string => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

export const readVersion = (): string => (typeof COUNTERSIGN_VERSION === 'string' ? COUNTERSIGN_VERSION : readManifest())
