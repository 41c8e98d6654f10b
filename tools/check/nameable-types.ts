import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { capture, type Outcome } from '../capture.ts'
import { readManifest, repository } from '../workspace.ts'

/** A package as it was packed and unpacked, and the folder of the workspace in which what it needs is installed. */
export interface Unpacked {
  readonly name: string
  readonly directory: string
  readonly source: string
}

/**
 * What a host may write that hands on what it made: the whole, taken apart, and each use case by itself. Of each, the compiler
 * must find a name for every type, with no more to go by than what the packages export.
 */
const HOST = `
import { createCountersign, type CountersignConfig } from '@countersign/core'
import { createTestCountersign } from '@countersign/core/testing'
import { createApp, openCountersign } from '@countersign/server'

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

export const test = createTestCountersign()
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

const link = (target: string, directory: string, name: string): void => {
  const path = join(directory, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path, 'dir')
}

/**
 * Compiles the declarations of a host, far from the workspace, in which each package sees only what it names itself, as pnpm
 * lays packages out: a type that no package exports by name has none there (TS2742). Everything is laid out in `directory`.
 */
export const checkNameableTypes = async (directory: string, packages: readonly Unpacked[]): Promise<Outcome> => {
  const placeOf = (from: string, name: string): string =>
    packages.find((one) => one.name === name)?.directory ?? join(from, 'node_modules', name)
  for (const { directory: unpacked, source } of packages) {
    const { dependencies, peerDependencies } = readManifest(unpacked)
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) link(placeOf(source, name), unpacked, name)
  }
  const host = join(directory, 'host')
  for (const name of ['@countersign/core', '@countersign/server', '@types/node']) link(placeOf(repository, name), host, name)
  writeFileSync(join(host, 'package.json'), JSON.stringify({ type: 'module' }))
  writeFileSync(join(host, 'host.ts'), HOST)
  writeFileSync(join(host, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ['host.ts'] }))
  return capture(join(repository, 'node_modules', '.bin', 'tsc'), ['-p', host], host)
}
