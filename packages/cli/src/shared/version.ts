import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'

/** Returns the version of this package, from the nearest package.json. Sources and built code lie at different depths below it. */
export const readVersion = (): string => {
  const path = findPackageJSON(import.meta.url)
  if (path === undefined) throw new Error('The package has no package.json')
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }).version
}
