import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { undeclaredImports } from './packed-imports.ts'

let directory: string

const write = (files: Readonly<Record<string, string>>): void => {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), content)
  }
}

const manifest = JSON.stringify({
  name: '@example/one',
  exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' }, './package.json': './package.json' },
  bin: { one: './dist/bin.js' },
  dependencies: { declared: '1.0.0' },
  peerDependencies: { '@example/peer': '1.0.0' },
})

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-packed-'))
  write({ 'package.json': manifest, 'dist/index.js': '', 'dist/index.d.ts': '', 'dist/bin.js': '' })
})

afterEach(() => rmSync(directory, { recursive: true }))

describe('undeclaredImports', () => {
  it('accepts dependencies, peers, their subpaths, Node itself and the package by its own name', () => {
    write({
      'dist/index.js': `import a from 'declared'\nimport '@example/peer/part'\nexport * from "node:fs"\nimport b from 'fs'\nimport c from '@example/one'`,
    })
    expect(undeclaredImports(directory)).toStrictEqual([])
  })

  it('reports imports of code, also dynamic imports and imports through other files and commands', () => {
    write({
      'dist/index.js': `import './chunk.js'`,
      'dist/chunk.js': `const loaded = await import('lazy')`,
      'dist/bin.js': `import { x } from '@other/sibling/part'`,
    })
    expect(undeclaredImports(directory)).toStrictEqual([
      '@example/one: dist/bin.js imports @other/sibling/part, which is no dependency',
      '@example/one: dist/chunk.js imports lazy, which is no dependency',
    ])
  })

  it('reports imports of declarations, which keep the names of the sources', () => {
    write({
      'dist/index.d.ts': `export type { A } from './a.ts'`,
      'dist/a.d.ts': `export type A = import('hidden').A; export type Member = 'from' | 'to'`,
    })
    expect(undeclaredImports(directory)).toStrictEqual(['@example/one: dist/a.d.ts imports hidden, which is no dependency'])
  })

  it('fails when the file of an export is missing', () => {
    rmSync(join(directory, 'dist/index.d.ts'))
    expect(() => undeclaredImports(directory)).toThrow('ENOENT')
  })
})
