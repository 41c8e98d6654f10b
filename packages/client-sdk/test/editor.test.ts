import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'

const directory = join(import.meta.dirname, '..', 'src')
const file = join(directory, 'program-of-a-user.ts')

const program = `
import type { Client } from './client.ts'
import type { Input } from '@countersign/contract'
declare const client: Client
client.auth.login({ email: '', password: '' })
client.confirmations.request({ actionType: 'password_change', actionPayload: { userId: 1 } })
declare const order: Input<'projects.create'>
const { confirmations: [pending] } = await client.confirmations.pending()
if (pending?.actionType === 'payment_approval') pending.actionPayload
`

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.Preserve,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  customConditions: ['@countersign/source'],
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  types: [],
}

const textOf = (path: string): string | undefined => {
  if (path === file) return program
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** Returns what an editor shows for the last word of a text of the program. */
const hover = (service: ts.LanguageService, text: string): string => {
  const position = program.indexOf(text) + text.length - 1
  return ts.displayPartsToString(service.getQuickInfoAtPosition(file, position)?.displayParts ?? [])
}

it('an editor shows the fields of inputs and outputs', () => {
  const service = ts.createLanguageService({
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const text = textOf(path)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => directory,
    getCompilationSettings: () => options,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile: textOf,
    ...(ts.sys.realpath === undefined ? {} : { realpath: ts.sys.realpath }),
  })
  expect(service.getSemanticDiagnostics(file).map(({ messageText }) => messageText)).toEqual([])
  expect(hover(service, 'client.auth.login')).toMatch(/input: \{\s+email: string;\s+password: string;\s+rememberMe\?: /)
  expect(hover(service, 'client.auth.login')).toMatch(/Promise<\{\s+accessToken: string;/)
  expect(hover(service, 'client.confirmations.request')).toMatch(
    /input: \{\s+actionType: "password_change";\s+actionPayload: \{\s+\[x: string\]: unknown;\s+userId: .*\}/s,
  )
  expect(hover(service, 'const order')).toMatch(/name: string;\s+customerId: string;\s+contractValue: number;/)
  expect(hover(service, 'pending.actionPayload')).toMatch(/amount: string \| number;/)
  service.dispose()
})
