import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bindings, commentsOf, documentMethods } from './document-methods.ts'

const source = join(import.meta.dirname, '..', 'src')
const comments = bindings.flatMap((file) => [...commentsOf(join(source, file))])

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

describe('the comments of bound methods', () => {
  it('exist for every method', () => {
    expect(comments.length).toBeGreaterThan(100)
    expect(comments.filter(([, comment]) => comment === undefined).map(([method]) => method)).toEqual([])
  })

  it('have examples that compile', () => {
    const examples = comments.flatMap(([method, comment = '']) => {
      const [, code] = /@example\n[ *]*```ts\n([\s\S]*?)```/.exec(comment) ?? []
      return code === undefined ? [] : [{ method, code: code.replaceAll(/^ *\* ?/gm, '') }]
    })
    expect(examples.map(({ method }) => method)).toEqual(expect.arrayContaining(['auth.login', 'confirmations.consume']))
    const texts = new Map(
      examples.map(({ method, code }) => [
        join(source, `example-${method}.ts`),
        `import type { Countersign } from './index.ts'\ndeclare const countersign: Countersign\n${code}`,
      ]),
    )
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
    host.getSourceFile = (path, version) => {
      const text = texts.get(path)
      return text === undefined ? getSourceFile(path, version) : ts.createSourceFile(path, text, version)
    }
    const program = ts.createProgram([...texts.keys()], options, host)
    const faults = [...texts.keys()].flatMap((path) =>
      program
        .getSemanticDiagnostics(program.getSourceFile(path))
        // A value of the host has no declaration in an example.
        .filter(({ messageText }) => !/^(Cannot find name|No value exists in scope)/.test(String(messageText)))
        .map(({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`),
    )
    expect(faults).toEqual([])
  })

  it('come before the methods in the declarations that a host reads', () => {
    const bind = 'export const bind = (deps: Deps) => {\n  return { group: { method: checked("a", act, {}) } }\n}\n'
    const emitted =
      'export declare const bind: (deps: Deps) => {\n    group: {\n        method: (input: string) => void;\n    };\n};\n'
    const from = given({
      'act.ts': '/**\n * Does it.\n *\n * @throws Never\n */\nexport const act = () => {}\n',
      ...Object.fromEntries(bindings.map((file) => [file, `import { act } from '../act.ts'\n${bind}`])),
    })
    const to = given(Object.fromEntries(bindings.map((file) => [file.replace('.ts', '.d.ts'), emitted])))
    documentMethods(from, to)
    expect(readFileSync(join(to, 'projects/bind.d.ts'), 'utf8')).toBe(
      emitted.replace('method:', '/**\n         * Does it.\n         *\n         * @throws Never\n         */\n        method:'),
    )
  })
})
