import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { parse } from 'es-module-lexer/js'
import { type Manifest, readManifest } from '../workspace.ts'

/** In declarations, where a type can be imported in the midst of another. */
const DECLARED = /\b(?:from|import)\s*\(?\s*(['"])([^'"\n]+)\1/g

/** Code has texts that look like imports, which its lexer tells apart. */
const specifiersOf = (file: string): readonly string[] => {
  const source = readFileSync(file, 'utf8')
  if (file.endsWith('.d.ts')) return [...source.matchAll(DECLARED)].map(([, , specifier = '']) => specifier)
  return parse(source)[0].flatMap((found) => ('specifier' in found ? (found.specifier ?? []) : []))
}

/** Where a relative specifier leads; in a declaration, a module's name stands for its declaration. */
const follow = (file: string, specifier: string): string => {
  const target = join(dirname(file), specifier)
  return file.endsWith('.d.ts') ? target.replace(/\.(ts|js)$/, '.d.ts') : target
}

const nameOfPackage = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** Everything that whoever installs the package can load: code and declarations, from its exports and commands on. */
const entriesOf = ({ exports, bin }: Manifest): readonly string[] =>
  [...Object.values(exports), ...Object.values(bin ?? {})]
    .flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)))
    .filter((path) => !path.endsWith('.json'))

/**
 * What a package, unpacked in `directory`, imports without naming it among its dependencies: it would work here, where
 * everything is installed, and fail wherever it is not. Resolves to one line for each file and import.
 */
export const undeclaredImports = (directory: string): readonly string[] => {
  const manifest = readManifest(directory)
  const declared = new Set([manifest.name, ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })])
  const complaints: string[] = []
  const files = new Set(entriesOf(manifest).map((path) => join(directory, path)))
  // A set gives what is added to it while it is walked, too.
  for (const file of files)
    for (const specifier of specifiersOf(file))
      if (specifier.startsWith('.')) files.add(follow(file, specifier))
      else if (!isBuiltin(specifier) && !declared.has(nameOfPackage(specifier)))
        complaints.push(`${manifest.name}: ${relative(directory, file)} imports ${specifier}, which is no dependency`)
  return complaints
}
