import { PrismaPg } from '@prisma/adapter-pg'
import { getPrismaClient } from '@prisma/client/runtime/client'
import type pg from 'pg'

interface Person {
  readonly id: string
  readonly email: string
  readonly hash: string | null
  readonly has_left: boolean
}

/** The methods of Prisma that tests use, also in a transaction. */
export interface PrismaQueries {
  readonly people: {
    findMany(query: { readonly where: Partial<Person> }): Promise<readonly Person[]>
    updateMany(query: { readonly data: Partial<Person> }): Promise<unknown>
  }
  readonly payments: { create(query: { readonly data: { readonly id: number } }): Promise<unknown> }
  $queryRawUnsafe<T = unknown>(text: string, ...values: unknown[]): Promise<T>
}

interface PrismaClient extends PrismaQueries {
  $transaction<T>(work: (tx: PrismaQueries) => Promise<T>): Promise<T>
  $disconnect(): Promise<void>
}

const models = {
  people: { id: 'String @id', email: 'String', hash: 'String?', has_left: 'Boolean' },
  payments: { id: 'Int @id' },
}

const schemaOf = ([model, fields]: readonly [string, object]): string =>
  [`model ${model} {`, ...Object.entries(fields).map(([name, type]) => `  ${name} ${type}`), '}'].join('\n')

const fieldsOf = (fields: object) =>
  Object.entries(fields).map(([name, declared = '']: [string, string?]) => {
    const [type = '', isId] = declared.split(' ')
    const isRequired = !type.endsWith('?')
    const attributes = { isList: false, isUnique: false, isReadOnly: false, hasDefaultValue: false }
    return { name, kind: 'scalar' as const, type: type.replace('?', ''), isRequired, isId: isId !== undefined, ...attributes }
  })

/** The types of Node do not declare it. */
const { WebAssembly } = globalThis as unknown as { WebAssembly: { compile(module: Uint8Array): Promise<object> } }

const COMPILER = '@prisma/client/runtime/query_compiler_fast_bg.postgresql'

/**
 * Opens the client of Prisma 7 that `prisma generate` writes for these models. The generator is not used, because it downloads a
 * program that npm does not have.
 */
export const prismaOn = async (pool: pg.Pool): Promise<PrismaClient> => {
  const runtime = await import(`${COMPILER}.mjs`)
  const { wasm } = (await import(`${COMPILER}.wasm-base64.mjs`)) as { readonly wasm: string }
  const dataModel = Object.entries(models).map(([name, fields]) => [
    name,
    { dbName: null, schema: null, fields: fieldsOf(fields) },
  ])
  const Client = getPrismaClient({
    activeProvider: 'postgresql',
    clientVersion: '7.10.0',
    engineVersion: '7.10.0',
    previewFeatures: [],
    inlineSchema: ['datasource db {', '  provider = "postgresql"', '}', ...Object.entries(models).map(schemaOf)].join('\n'),
    runtimeDataModel: { models: Object.fromEntries(dataModel), enums: {}, types: {} },
    // No node: three counts of zero.
    parameterizationSchema: { strings: [], graph: 'AAAA' },
    compilerWasm: {
      getRuntime: () => Promise.resolve(runtime),
      getQueryCompilerWasmModule: () => WebAssembly.compile(Buffer.from(wasm, 'base64')),
      importName: './query_compiler_fast_bg.js',
    },
  })
  // A race waits longer for the pool than Prisma allows by default.
  const transactionOptions = { maxWait: 30_000, timeout: 30_000 }
  return new Client({ adapter: new PrismaPg(pool, { disposeExternalPool: true }), transactionOptions }) as unknown as PrismaClient
}
