import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Matches the folder of a library, below the last `node_modules` of a path. */
const LIBRARY = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
const LICENSE = /^(licen[cs]e|notice)\b/i

const noticeOf = (library: string): { readonly name: string; readonly notice: string } => {
  const { name, version } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8')) as { name: string; version: string }
  const texts = readdirSync(library)
    .filter((file) => LICENSE.test(file))
    .map((file) => readFileSync(join(library, file), 'utf8').trim())
  if (texts.length === 0)
    throw new Error(`${name} cannot be built into a package: ${library} has no license that would go with it`)
  return { name, notice: `${name} ${version}\n\n${texts.join('\n\n')}` }
}

/** Returns the licenses of the libraries that these files belong to. A package that bundles the files must include the licenses. */
export const noticesOf = (files: readonly string[]): string => {
  const libraries = new Set(files.flatMap((file) => LIBRARY.exec(file)?.[0] ?? []))
  const notices = [...libraries].map(noticeOf).sort((a, b) => (a.name < b.name ? -1 : 1))
  return `${['These libraries are built into the files of this folder.', ...notices.map(({ notice }) => notice)].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}
