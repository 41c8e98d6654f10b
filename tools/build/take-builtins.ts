import { isBuiltin } from 'node:module'
import { parse } from 'es-module-lexer/js'

const STATEMENT = /^import\s*(?:(?<whole>[\w$]+)\s*,?\s*)?(?:\{(?<named>[^}]*)\}|\*\s*as\s+(?<all>[\w$]+))?\s*from\b/

/** `a as b` of an import is `a: b` of a pattern. */
const patternOf = (named: string): string =>
  named
    .split(',')
    .map((one) => one.trim().replace(/^(\S+)\s+as\s+(\S+)$/, '$1: $2'))
    .filter((one) => one !== '')
    .join(', ')

const taken = (statement: string, builtin: string): string => {
  const groups = STATEMENT.exec(statement)?.groups
  const named = patternOf(groups?.named ?? '')
  // What is imported as `default` is the module itself, which has no such member.
  if (groups === undefined || /\bdefault:/.test(named)) throw new Error(`Not understood by the build: ${statement}`)
  const names = [groups.whole, groups.all, named === '' ? undefined : `{ ${named} }`]
  return names
    .filter((name) => name !== undefined)
    .map((name) => `const ${name} = process.getBuiltinModule("${builtin}")`)
    .join('; ')
}

/**
 * Takes Node's own modules without importing them, in code that esbuild has written. An import reads every export that the
 * module has, also those that are made when they are first asked for: that of `node:http` loads a whole HTTP client for its
 * `WebSocket`, which takes 60 ms. Lines stay where they are, so that source maps still fit.
 *
 * For Node from 22.3 up, and for code in which nothing of a module is used above the place where it is imported.
 */
export const takeBuiltins = (code: string): string => {
  const imports = parse(code)[0].filter((one) => one.type === 'static' && isBuiltin(one.specifier ?? ''))
  return imports.reduceRight((text, { importStart, importEnd, specifier = '' }) => {
    const statement = text.slice(importStart, importEnd)
    const lines = statement.split('\n').length - 1
    return text.slice(0, importStart) + taken(statement, specifier ?? '') + '\n'.repeat(lines) + text.slice(importEnd)
  }, code)
}
