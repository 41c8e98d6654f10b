import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { capture, type Outcome } from '../capture.ts'
import { repository } from '../workspace.ts'

/** A host that exports the objects it makes. The compiler must name every type from the exports of the packages alone. */
const HOST = `
import { createCountersign, type CountersignConfig } from '@countersign/core'
import { createApp, openCountersign } from '@countersign/server'
import { createTestCountersign as createOnPostgres } from '@countersign/storage-postgres/testing'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'

declare const config: CountersignConfig
export const countersign = createCountersign(config)
export const { auth, users, sessions, devices, mobile, passkeys, confirmations, customers } = countersign
export const { projects, productSchemas, resources, expenses, serviceTokens, rateLimits, health, sweep } = countersign
export const useCases = [
  { ...auth }, { ...users }, { ...sessions }, { ...devices }, { ...mobile }, { ...passkeys }, { ...confirmations }, { ...customers },
  { ...projects }, { ...productSchemas }, { ...resources }, { ...expenses }, { ...serviceTokens }, { ...rateLimits },
] as const
export const { introspect } = auth
export const introspection = introspect({ token: 'token', serviceName: 'service' })
export const given = (...input: Parameters<typeof confirmations.initiate>) => confirmations.initiate(...input)

export const test = await createTestCountersign()
export const testOfParts = await createOnPostgres({ parts: ['identity'] })
export const open = (...input: Parameters<typeof openCountersign>) => openCountersign(...input)
export const app = (...input: Parameters<typeof createApp>) => createApp(...input)
`

const COMPILER_OPTIONS = {
  target: 'es2023',
  module: 'nodenext',
  strict: true,
  declaration: true,
  emitDeclarationOnly: true,
  outDir: 'types',
  types: ['node'],
}

/** A host that checks the declarations of its libraries, as compilers do by default, without the optional packages. */
const STRICT_HOST = `
export type * as core from '@countersign/core'
export type * as server from '@countersign/server'
export type * as sqlite from '@countersign/storage-sqlite'
export type * as postgres from '@countersign/storage-postgres'
export type * as clients from '@countersign/storage-postgres/clients'
`

const compile = async (project: string, source: string, options: Readonly<Record<string, unknown>>): Promise<Outcome> => {
  const folder = mkdtempSync(join(project, 'types-'))
  writeFileSync(join(folder, 'host.ts'), source)
  const compilerOptions = { ...COMPILER_OPTIONS, ...options }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['host.ts'] }))
  return capture(join(repository, 'node_modules', '.bin', 'tsc'), ['-p', folder], folder)
}

/** Compiles the declarations of a host. A type that no package exports by name has no name there (TS2742). */
export const checkNameableTypes = (project: string): Promise<Outcome> => compile(project, HOST, { skipLibCheck: true })

/** Compiles a host that checks the declarations of our packages too. */
export const checkDeclarations = (project: string): Promise<Outcome> => compile(project, STRICT_HOST, { skipLibCheck: false })
