import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApiDocument } from '@countersign/contract/openapi'
import { createTestUser, testPassword } from '@countersign/core/testing'
import { createClient } from '@hey-api/openapi-ts'
import { build } from 'esbuild'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp } from '../src/testing/test-app.ts'

/** Calls with the client of one generator, and reads the answer with the types of the other one. */
const program = `
import { client } from './client/client.gen'
import { authLogin, sessionsList } from './client'
import type { paths } from './paths'

type List = paths['/api/v1/auth/sessions']['get']
type Session = List['responses'][200]['content']['application/json']['data']['sessions'][number]
const extended: List['parameters']['header'] = { 'Countersign-Extended': '1' }

export const readSessions = async (body: { email: string; password: string }, fetch: typeof globalThis.fetch) => {
  client.setConfig({ baseUrl: 'http://countersign.test', fetch, throwOnError: true })
  const login = await authLogin<true>({ body })
  const read = async (headers: List['parameters']['header']): Promise<readonly Session[]> =>
    (await sessionsList<true>({ auth: login.data.data.accessToken, headers })).data.data.sessions
  const [short, long] = await Promise.all([read(undefined), read(extended)])
  return [short.map((one) => one.hostSignIn), long.map((one) => one.hostSignIn)]
}
`

let directory: string
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'countersign-generated-'))
  const document = openApiDocument({ version: '1.2.3' })
  const input = join(directory, 'openapi.json')
  writeFileSync(input, JSON.stringify(document))
  writeFileSync(join(directory, 'paths.ts'), astToString(await openapiTS(JSON.stringify(document))))
  writeFileSync(join(directory, 'program.ts'), program)
  await createClient({ input, output: join(directory, 'client'), logs: { level: 'silent' } })
})
afterAll(() => rmSync(directory, { recursive: true }))

it('a program with the clients of two public generators compiles with strict options', () => {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }
  const compiled = ts.createProgram([join(directory, 'program.ts')], options)
  expect(ts.getPreEmitDiagnostics(compiled).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual(
    [],
  )
})

it('the program logs in, and gets the members of extended answers only with the header', async () => {
  const test = await createTestApp()
  const { email } = await createTestUser(test)
  const { outputFiles } = await build({
    entryPoints: [join(directory, 'program.ts')],
    bundle: true,
    format: 'esm',
    write: false,
  })
  const url = `data:text/javascript,${encodeURIComponent(outputFiles[0]?.text ?? '')}`
  const { readSessions } = (await import(url)) as {
    readonly readSessions: (body: object, fetch: (request: Request) => Promise<Response>) => Promise<unknown>
  }
  const fetch = async (request: Request): Promise<Response> => test.app.fetch(request)
  expect(await readSessions({ email, password: testPassword }, fetch)).toEqual([[undefined], [null]])
})
