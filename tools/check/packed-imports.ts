import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { parse } from 'es-module-lexer/js'
import { type Manifest, readManifest } from '../workspace.ts'

/** Matches imports in declarations. A type may contain an import, and a text may be the word `from`. */
const DECLARED = /(?<!['"])\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g

/** Returns the import specifiers of a file. Code is parsed, because its strings can look like imports. */
const specifiersOf = (file: string): readonly string[] => {
  const source = readFileSync(file, 'utf8')
  if (file.endsWith('.d.ts')) return [...source.matchAll(DECLARED)].map(([, , specifier = '']) => specifier)
  return parse(source)[0].flatMap((found) => ('specifier' in found ? (found.specifier ?? []) : []))
}

/** Returns the file of a relative specifier. In a declaration, the name of a module refers to its declaration. */
const follow = (file: string, specifier: string): string => {
  const target = join(dirname(file), specifier)
  return file.endsWith('.d.ts') ? target.replace(/\.(ts|js)$/, '.d.ts') : target
}

const nameOfPackage = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** Returns the files that users of a package can load: the code and the declarations of its exports and commands. */
const entriesOf = ({ exports, bin }: Manifest): readonly string[] =>
  [...Object.values(exports), ...Object.values(bin ?? {})]
    .flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)))
    .filter((path) => !path.endsWith('.json'))

/** Returns the imports of an unpacked package that its manifest does not name, and which fail elsewhere, a line each. */
export const undeclaredImports = (directory: string): readonly string[] => {
  const manifest = readManifest(directory)
  const declared = new Set([manifest.name, ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })])
  const complaints: string[] = []
  const files = new Set(entriesOf(manifest).map((path) => join(directory, path)))
  // The loop also visits files that are added during the loop.
  for (const file of files)
    for (const specifier of specifiersOf(file))
      if (specifier.startsWith('.')) files.add(follow(file, specifier))
      else if (!isBuiltin(specifier) && !declared.has(nameOfPackage(specifier)))
        complaints.push(`${manifest.name}: ${relative(directory, file)} imports ${specifier}, which is no dependency`)
  return complaints
}
