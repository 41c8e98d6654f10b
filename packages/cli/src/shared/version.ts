import { readFileSync } from 'node:fs'

/** The version of this package. Its package.json stands one folder up both in the sources and in the built package. */
export const readVersion = (): string => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  return manifest.version
}
