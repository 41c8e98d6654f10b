import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { capture, type Outcome } from '../capture.ts'
import { repository } from '../workspace.ts'

/**
 * The source of a host that exports the objects it makes: the whole, its parts, and single use cases. The compiler must find a
 * name for every type, from the exports of the packages alone.
 */
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
  skipLibCheck: true,
  outDir: 'types',
  types: ['node'],
}

/**
 * Compiles the declarations of a host that sees only the packages it depends on. A type that no package exports by name has no
 * name there, and the compiler reports TS2742.
 */
export const checkNameableTypes = async (project: string): Promise<Outcome> => {
  const folder = join(project, 'nameable-types')
  mkdirSync(folder)
  writeFileSync(join(folder, 'host.ts'), HOST)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ['host.ts'] }))
  return capture(join(repository, 'node_modules', '.bin', 'tsc'), ['-p', folder], folder)
}
