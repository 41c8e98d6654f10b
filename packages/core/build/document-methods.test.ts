import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it, onTestFinished } from 'vitest'
import { defaultOptions } from '../src/options.ts'
import { bindings, commentsOf, documentMethods } from './document-methods.ts'

const source = join(import.meta.dirname, '..', 'src')
const comments = new Map(bindings.flatMap((file) => [...commentsOf(join(source, file))]))

interface Method {
  readonly name: string
  readonly takesInput: boolean
  /** The text of the comment before its first tag. */
  readonly says: string
  readonly tags: ReadonlyMap<string, string>
}

const isRequired = ({ valueDeclaration: one }: ts.Symbol): boolean =>
  one !== undefined && ts.isParameter(one) && one.questionToken === undefined

/** A comment as an editor reads it. */
const readComment = (comment: string): Pick<Method, 'says' | 'tags'> => {
  const [statement] = ts.createSourceFile('comment.ts', `${comment}\nlet method`, ts.ScriptTarget.Latest, true).statements
  const jsDoc = ts.getJSDocCommentsAndTags(statement as ts.Statement).find(ts.isJSDoc)
  return {
    says: ts.getTextOfJSDocComment(jsDoc?.comment) ?? '',
    tags: new Map(jsDoc?.tags?.map((tag) => [tag.tagName.text, ts.getTextOfJSDocComment(tag.comment) ?? ''])),
  }
}

/** A method of `Countersign`, with its comment. */
const methodOf = (name: string, method: ts.Symbol, type: ts.Type): Method => {
  const own = method.declarations?.flatMap((one) => ts.getJSDocCommentsAndTags(one)).find(ts.isJSDoc)
  return {
    name,
    takesInput: type.getCallSignatures()[0]?.parameters.some(isRequired) ?? false,
    ...readComment(comments.get(name) ?? own?.getText() ?? ''),
  }
}

const declared = `
import type { Countersign, Options } from './index.ts'
export declare const countersign: Countersign
export declare const options: Options
`

/** Compiles one source text together with the sources of the core. */
const compiled = (
  text: string,
): { readonly checker: ts.TypeChecker; readonly file: ts.SourceFile; readonly faults: string[] } => {
  const path = join(source, 'examples-of-methods.ts')
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2024,
    module: ts.ModuleKind.NodeNext,
    customConditions: ['@countersign/source'],
    allowImportingTsExtensions: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    strict: true,
    types: ['node'],
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (other, version) =>
    other === path ? ts.createSourceFile(path, text, version, true) : getSourceFile(other, version)
  const program = ts.createProgram([path], options, host)
  const file = program.getSourceFile(path) as ts.SourceFile
  const faults = program
    .getSemanticDiagnostics(file)
    // A value or type of the host has no declaration in an example.
    .filter(({ code }) => ![2304, 2552, 18004].includes(code))
    .map(({ start = 0, messageText }) => {
      const { line } = file.getLineAndCharacterOfPosition(start)
      return `${text.split('\n')[line]}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    })
  return { checker: program.getTypeChecker(), file, faults }
}

const typeOf = (name: string, checker: ts.TypeChecker, file: ts.SourceFile): ts.Type => {
  const found = checker.getExportsOfModule(checker.getSymbolAtLocation(file) as ts.Symbol).find((one) => one.name === name)
  return checker.getTypeOfSymbol(found as ts.Symbol)
}

/** Every method of `Countersign`. */
const methodsOf = (checker: ts.TypeChecker, file: ts.SourceFile): readonly Method[] => {
  const read = (type: ts.Type, prefix: string): readonly Method[] =>
    type.getProperties().flatMap((property) => {
      const of = checker.getTypeOfSymbol(property)
      const name = prefix + property.name
      if (of.getCallSignatures().length > 0) return [methodOf(name, property, of)]
      return name === 'parts' ? [] : read(of, `${name}.`)
    })
  return read(typeOf('countersign', checker, file), '')
}

/** Writes files into a new folder, and returns its path. */
const given = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-comments-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Returns whether an example calls the method. The two registries share their methods, and so their examples. */
const calls = ({ name, tags }: Method): boolean =>
  [name, name.replace('actionTypes', 'productSchemas'), name.replace('productSchemas', 'actionTypes')].some((one) =>
    new RegExp(`countersign\\.${one}[(<]`).test(tags.get('example') ?? ''),
  )

/** The comments of methods that no binding names: they stand at the methods themselves. */
const ownComments = readFileSync(join(source, 'approvals', 'events', 'live-streams.ts'), 'utf8').match(/\/\*\*.*?\*\//gs) ?? []
const examples = new Set([...comments.values(), ...ownComments].map((comment = '') => readComment(comment).tags.get('example')))
const written = [...examples].map((example) => `void (async () => {\n${example}\n})\n`)
// Compiled before the tests, because a busy machine needs longer than the limit of a test. Once, because it takes long.
const { checker, file, faults } = compiled(declared + written.join(''))
const methods = methodsOf(checker, file)

describe('the comments of bound methods', () => {
  it('say what every method does and throws, and give an example', () => {
    expect(methods.length).toBeGreaterThan(140)
    expect(methods.filter(({ says }) => !/^[A-Z].*\.$/s.test(says)).map(({ name }) => name)).toEqual([])
    expect(methods.filter(({ takesInput, tags }) => takesInput && !tags.get('throws')).map(({ name }) => name)).toEqual([])
    expect(methods.filter((one) => !calls(one)).map(({ name }) => name)).toEqual([])
  })

  it('have examples that compile', () => {
    expect(methods.filter(({ tags }) => !examples.has(tags.get('example'))).map(({ name }) => name)).toEqual([])
    expect(faults).toEqual([])
  })

  it('come before the methods in the declarations that a host reads', () => {
    const bind = 'export const bind = (deps: Deps) => {\n  return { group: { method: checked("a", act, {}) } }\n}\n'
    const emitted =
      'export declare const bind: (deps: Deps) => {\n    group: {\n        method: (input: string) => void;\n    };\n};\n'
    const from = given({
      'act.ts': '/**\n * Does it.\n *\n * @throws Never\n */\nexport const act = () => {}\n',
      ...Object.fromEntries(
        bindings.map((file) => [file, `import { act } from '${file.includes('/') ? '../' : './'}act.ts'\n${bind}`]),
      ),
    })
    const to = given(Object.fromEntries(bindings.map((file) => [file.replace('.ts', '.d.ts'), emitted])))
    documentMethods(from, to)
    expect(readFileSync(join(to, 'projects/bind.d.ts'), 'utf8')).toBe(
      emitted.replace('method:', '/**\n         * Does it.\n         *\n         * @throws Never\n         */\n        method:'),
    )
  })
})

it('an option that is a time has a type that says its unit', () => {
  const options = new Map(
    typeOf('options', checker, file)
      .getProperties()
      .map((one) => [one.name, checker.getTypeOfSymbol(one)]),
  )
  // The counts among the defaults are smaller.
  const times = Object.entries(defaultOptions).filter(([, value]) => typeof value === 'number' && value >= 1000)
  expect(times.length).toBeGreaterThan(15)
  const types = times.map(([name]) => checker.typeToString(options.get(name) as ts.Type))
  expect(new Set(types)).toEqual(new Set(['Milliseconds', 'Retention']))
})
