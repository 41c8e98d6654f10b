import { isBuiltin } from 'node:module'
import { parse } from 'es-module-lexer/js'

const STATEMENT = /^import\s*(?:(?<whole>[\w$]+)\s*,?\s*)?(?:\{(?<named>[^}]*)\}|\*\s*as\s+(?<all>[\w$]+))?\s*from\b/

/** Converts the names of an import into a destructuring pattern: `a as b` becomes `a: b`. */
const patternOf = (named: string): string =>
  named
    .split(',')
    .map((one) => one.trim().replace(/^(\S+)\s+as\s+(\S+)$/, '$1: $2'))
    .filter((one) => one !== '')
    .join(', ')

const taken = (statement: string, builtin: string): string => {
  const groups = STATEMENT.exec(statement)?.groups
  const named = patternOf(groups?.named ?? '')
  // The `default` import is the module itself, and not a field of the module object.
  if (groups === undefined || /\bdefault:/.test(named)) throw new Error(`Not understood by the build: ${statement}`)
  const names = [groups.whole, groups.all, named === '' ? undefined : `{ ${named} }`]
  return names
    .filter((name) => name !== undefined)
    .map((name) => `const ${name} = globalThis.process.getBuiltinModule("${builtin}")`)
    .join('; ')
}

/**
 * Replaces static imports of Node modules by `process.getBuiltinModule`, in code of esbuild. An import reads every export: reading
 * `WebSocket` of `node:http` loads a whole HTTP client, which delays the start. Lines keep their numbers for source maps. The
 * global object is named, because code may import `process`. Needs Node 22.3, and code that uses a module only below its import.
 */
export const takeBuiltins = (code: string): string => {
  const imports = parse(code)[0].filter((one) => one.type === 'static' && isBuiltin(one.specifier ?? ''))
  return imports.reduceRight((text, { importStart, importEnd, specifier = '' }) => {
    const statement = text.slice(importStart, importEnd)
    const lines = statement.split('\n').length - 1
    return text.slice(0, importStart) + taken(statement, specifier ?? '') + '\n'.repeat(lines) + text.slice(importEnd)
  }, code)
}
