import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createTestStorage } from '@countersign/storage-sqlite/testing'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { type Countersign, createCountersign } from './countersign.ts'
import type { Part } from './parts.ts'
import type { Storage } from './storage.ts'
import { registerTestDevice, signInNewUser, testPassword } from './testing/sign-in.ts'
import { aKeyRing } from './testing/test-keys.ts'

const run = promisify(execFile)

/** A storage without project stores, also in its transactions. */
const storageWithoutProjects = async (): Promise<Storage> => {
  const { projects: _, ...storage } = await createTestStorage()
  return {
    ...storage,
    transaction: (work) => storage.transaction(({ projects: __, ...stores }) => work(stores)),
  }
}

const create = async <P extends Part>(parts: readonly P[], storage?: Storage) =>
  createCountersign({
    storage: storage ?? (await storageWithoutProjects()),
    parts,
    jwtKeys: aKeyRing(),
    encryptionKeys: aKeyRing(),
    options: { enrolment: 'vouched' },
  })

const projectNouns = ['customers', 'projects', 'productSchemas', 'resources', 'expenses']

describe('a countersign of identity and approvals', () => {
  it('logs a user in and starts a confirmation, on a storage without project stores', async () => {
    const { users, auth, confirmations, sweep } = await create(['identity', 'approvals'])
    const { email } = await users.create({ email: 'ada@example.test', password: testPassword })
    const { accessToken } = await auth.login({ email, password: testPassword })
    const caller = await auth.authenticate({ token: accessToken })
    const input = { actionType: 'password_change', actionPayload: { userId: 7 } } as const
    expect(await confirmations.initiate({ caller, ...input })).toHaveProperty('challenge')
    expect(await sweep()).toEqual({})
  })

  it('has no use cases of projects', async () => {
    const countersign = await create(['identity', 'approvals'])
    for (const noun of projectNouns) expect(countersign).not.toHaveProperty(noun)
    expect([...countersign.parts]).toStrictEqual(['identity', 'approvals'])
    expectTypeOf(countersign).toHaveProperty('confirmations')
    expectTypeOf(countersign).not.toHaveProperty('projects')
  })
})

describe('a countersign of identity', () => {
  it.each([[[]], [['identity']]] as const)('has no confirmations, when the parts are %j', async (parts) => {
    const countersign = await create<Part>(parts)
    expect(countersign).not.toHaveProperty('confirmations')
    expect(countersign).not.toHaveProperty('projects')
    expect([...countersign.parts]).toStrictEqual(['identity'])
  })

  it('needs no store of confirmations, and sweeps without one', async () => {
    const { confirmations: _, ...storage } = await storageWithoutProjects()
    const { users, sweep } = await create(['identity'], storage as Storage)
    await users.create({ email: 'ada@example.test' })
    expect(await sweep()).toEqual({})
  })
})

describe('a second device of a user', () => {
  it.each<[what: string, parts: readonly Part[], vouching: object | undefined]>([
    [
      'is vouched for by the first one, in a countersign with approvals',
      ['identity', 'approvals'],
      { confirmationId: expect.any(String) },
    ],
    ['waits for a code or an admin, in a countersign of identity', ['identity'], undefined],
  ])('%s', async (_, parts, vouching) => {
    const test: { countersign: Countersign } = { countersign: await create<Part>(parts) }
    const { caller } = await signInNewUser(test)
    await registerTestDevice(test, caller)
    const { device } = await registerTestDevice(test, caller)
    expect(device.trusted).toBe(false)
    if (vouching === undefined) expect(device).not.toHaveProperty('vouching')
    else expect(device).toMatchObject({ vouching })
  })
})

describe('a countersign that names no parts', () => {
  it('has the use cases of all parts', async () => {
    const countersign = createCountersign({
      storage: await createTestStorage(),
      jwtKeys: aKeyRing(),
      encryptionKeys: aKeyRing(),
    })
    expect(Object.keys(countersign)).toEqual(expect.arrayContaining(['auth', 'confirmations', ...projectNouns]))
    expect([...countersign.parts]).toStrictEqual(['identity', 'approvals', 'projects'])
  })
})

describe('the parts of a host', () => {
  const wrong = ['identity', ['payments'], ['identity', null], [['identity']], {}, null, 7].map((parts) => ({ parts }))
  it.each(wrong)('are refused as a TypeError: $parts', async ({ parts }) => {
    await expect(create(parts as never)).rejects.toThrow(new TypeError('parts must be a list of identity, approvals, projects'))
  })

  it('are refused when the storage lacks the stores of a part', async () => {
    await expect(create(['projects'])).rejects.toThrow(new TypeError('storage must be a Storage, and lacks projects'))
    const { confirmations: _, ...storage } = await storageWithoutProjects()
    await expect(create(['approvals'], storage as Storage)).rejects.toThrow(
      new TypeError('storage must be a Storage, and lacks confirmations'),
    )
  })
})

/** Runs a script in a new process, and returns the files of the JSON Schema engine that the process loaded. */
const engineFilesOf = async (script: string): Promise<readonly string[]> => {
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
  const source = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    const { createCountersign, generateKeyRing, parseKeyRing, systemRandom } = await import(${url('./index.ts')})
    const { createTestStorage } = await import('@countersign/storage-sqlite/testing')
    const jwtKeys = parseKeyRing(generateKeyRing(systemRandom))
    const encryptionKeys = parseKeyRing(generateKeyRing(systemRandom), { exactly: true })
    const ofParts = (parts, storage) => createCountersign({ storage, parts, jwtKeys, encryptionKeys })
    ${script}
    console.log(JSON.stringify(loaded))`
  const flags = ['--conditions=@countersign/source', '--no-warnings', '--input-type=module', '--eval', source]
  const { stdout } = await run(process.execPath, flags)
  return (JSON.parse(stdout) as string[]).filter((loaded) => /\/(ajv|re2js)\/|json-schema\/engine\.ts$/.test(loaded))
}

describe('the JSON Schema engine', () => {
  it('is not loaded for identity and approvals', async () => {
    const files = await engineFilesOf(`
      const { projects, ...storage } = await createTestStorage()
      const { users, auth, confirmations, health, sweep } = ofParts(['identity', 'approvals'], storage)
      const user = { email: 'ada@example.test', password: 'correct horse battery staple' }
      await users.create(user)
      const { accessToken } = await auth.login(user)
      const caller = await auth.authenticate({ token: accessToken })
      await confirmations.initiate({ caller, actionType: 'password_change', actionPayload: { userId: 7 } })
      await health()
      await sweep()`)
    expect(files).toStrictEqual([])
  })

  it('is loaded at the first check of a product schema', async () => {
    const files = await engineFilesOf(`
      const { productSchemas } = ofParts(['projects'], await createTestStorage())
      await productSchemas.check({ type: 'desk', schemaText: '{}' })`)
    expect(files).toEqual(expect.arrayContaining([expect.stringContaining('/ajv/'), expect.stringContaining('engine.ts')]))
  })
})
