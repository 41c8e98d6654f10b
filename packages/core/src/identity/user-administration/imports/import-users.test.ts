import { createTestCountersign, type TestCountersign, type TestCountersignOverrides } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { Invalid } from '../../../shared/errors.ts'
import { UserChangedMeanwhile } from '../../user-model/errors.ts'
import type { ImportUsers } from './import-users.ts'
import type { LineResult } from './store-batch.ts'

const password = 'correct horse battery staple'
const bcryptHash = '$2b$05$abcdefghijklmnopqrstuuFiPhXf1sVd3pCCRO.uVh34H/qI/ZsuS'
const scryptHash = '$scrypt$ln=10,r=8,p=1$oXRujdH6n3NuzXkPAQDAGA$MC9iNA1ZlpXE9efChcN9Rw2Izrxgt+Ab+b45z8lhM58'

async function* lines(...values: readonly unknown[]) {
  for (const [index, value] of values.entries()) yield { line: index + 1, value }
}

const ada = {
  email: ' Ada@Example.test'.trim(),
  name: 'Ada',
  passwordHash: bcryptHash,
  permissions: ['project.update', 'project.read'],
  employee: { id: 'e-1', name: 'A. King' },
  department: { id: 'd-1', name: 'Engines' },
}

const given = async (overrides?: TestCountersignOverrides) => {
  const test = await createTestCountersign(overrides)
  const { users } = test.countersign
  const run = async (values: readonly unknown[], input: Partial<ImportUsers> = {}) => {
    const results: LineResult[] = []
    const counts = await users.import({ lines: lines(...values), onResult: (result) => results.push(result), ...input })
    return { counts, results }
  }
  const login = (email: string, tried = password) => test.countersign.auth.login({ email, password: tried })
  const stored = (email: string) => test.storage.users.byEmail(email)
  return { ...test, run, login, stored }
}

const counts = (some: Partial<Record<LineResult['outcome'], number>>) => ({
  created: 0,
  updated: 0,
  skipped: 0,
  refused: 0,
  ...some,
})

describe('imported users', () => {
  it('have the values of the file, and the hash unchanged', async () => {
    const { run, stored } = await given()
    const { counts: found, results } = await run([ada, { email: 'grace@example.test' }])
    expect(found).toStrictEqual(counts({ created: 2 }))
    expect(results).toStrictEqual([
      { line: 1, outcome: 'created' },
      { line: 2, outcome: 'created' },
    ])
    expect(await stored('ada@example.test')).toMatchObject({
      name: 'Ada',
      passwordHash: bcryptHash,
      permissions: ['project.read', 'project.update'],
      employee: { id: 'e-1', name: 'A. King', avatarFileId: '' },
      department: { id: 'd-1', name: 'Engines' },
      directoryId: null,
    })
    expect(await stored('grace@example.test')).toMatchObject({ name: '', passwordHash: null, permissions: [] })
  })

  it.each([bcryptHash, scryptHash])(
    'log in with their old password, and have an argon2id hash then: %.8s',
    async (passwordHash) => {
      const { run, login, stored } = await given()
      await run([{ ...ada, passwordHash }])
      await expect(login('ada@example.test', `${password}.`)).rejects.toThrow('Invalid email or password')
      expect((await stored('ada@example.test'))?.passwordHash).toBe(passwordHash)
      await login('ada@example.test')
      const raised = (await stored('ada@example.test'))?.passwordHash
      expect(raised).toMatch(/^\$argon2id\$v=19\$/)
      await login('ada@example.test')
      expect((await stored('ada@example.test'))?.passwordHash).toBe(raised)
      await expect(login('ada@example.test', `${password}.`)).rejects.toThrow('Invalid email or password')
    },
  )

  it('can change a password that is stored only as the imported hash', async () => {
    const { countersign, run, login, stored } = await given()
    await run([ada])
    const { accessToken } = await login('ada@example.test')
    const caller = await countersign.auth.authenticate({ token: accessToken })
    const newPassword = 'another good password'
    await countersign.password.change({ caller, currentPassword: password, newPassword })
    expect((await stored('ada@example.test'))?.passwordHash).toMatch(/^\$argon2id\$/)
    await login('ada@example.test', newPassword)
  })

  it('are skipped if their email exists, so that a second import changes nothing', async () => {
    const { run, login, stored } = await given()
    await run([ada])
    await login('ada@example.test')
    const before = await stored('ada@example.test')
    const { counts: found, results } = await run([{ ...ada, name: 'Eve', permissions: ['*.*'] }])
    expect(found).toStrictEqual(counts({ skipped: 1 }))
    expect(results).toStrictEqual([{ line: 1, outcome: 'skipped' }])
    expect(await stored('ada@example.test')).toStrictEqual(before)
  })

  it('count as existing if an earlier line has their email, in any case and form', async () => {
    const { run, stored } = await given()
    const { results } = await run([ada, { email: 'ADA@example.test', name: 'Eve' }, { email: '\uFF41da@example.test' }])
    expect(results.map(({ outcome }) => outcome)).toStrictEqual(['created', 'skipped', 'skipped'])
    expect(await stored('ada@example.test')).toMatchObject({ name: 'Ada' })
  })

  it('are created once by concurrent imports', async () => {
    const { run } = await given()
    const file = Array.from({ length: 30 }, (_, index) => ({ email: `user-${index}@example.test` }))
    const ran = await Promise.all([run(file), run(file), run(file)])
    expect(ran.reduce((sum, { counts: { created } }) => sum + created, 0)).toBe(30)
    expect(ran.reduce((sum, { counts: { skipped } }) => sum + skipped, 0)).toBe(60)
  })

  it('are all imported from a long file, in batches', async () => {
    const { run, storage } = await given()
    let transactions = 0
    const { transaction } = storage
    Object.assign(storage, {
      transaction: (work: Parameters<typeof transaction>[0]) => {
        transactions += 1
        return transaction(work)
      },
    })
    const file = Array.from({ length: 1001 }, (_, index) => ({ email: `user-${index}@example.test` }))
    const { counts: found, results } = await run(file)
    expect(found).toStrictEqual(counts({ created: 1001 }))
    expect(results.map(({ line }) => line)).toStrictEqual(file.map((_, index) => index + 1))
    expect(transactions).toBe(5)
  })
})

describe('with update, a user who exists', () => {
  it('gets the members of the line, and keeps the others', async () => {
    const { run, stored } = await given()
    await run([ada])
    const line = { email: ada.email, name: 'Ada King', permissions: ['project.read'], employee: { avatarFileId: 'f-1' } }
    const { counts: found } = await run([line], { existing: 'update' })
    expect(found).toStrictEqual(counts({ updated: 1 }))
    expect(await stored('ada@example.test')).toMatchObject({
      name: 'Ada King',
      permissions: ['project.read'],
      employee: { id: 'e-1', name: 'A. King', avatarFileId: 'f-1' },
      department: { id: 'd-1', name: 'Engines' },
      passwordHash: bcryptHash,
    })
    expect((await run([line], { existing: 'update' })).counts).toStrictEqual(counts({ skipped: 1 }))
  })

  it('keeps the same name for user and employee if they were the same', async () => {
    const { run, stored } = await given()
    await run([{ email: ada.email, name: 'Ada' }])
    const line = { email: ada.email, name: 'Ada King', employee: { id: 'e-1' } }
    expect((await run([line], { existing: 'update' })).counts).toStrictEqual(counts({ updated: 1 }))
    expect(await stored('ada@example.test')).toMatchObject({ name: 'Ada King', employee: { id: 'e-1', name: 'Ada King' } })
    expect((await run([line], { existing: 'update' })).counts).toStrictEqual(counts({ skipped: 1 }))
  })

  it('keeps an existing password, and gets the imported one only if there is none', async () => {
    const { run, login, stored } = await given()
    await run([ada, { email: 'grace@example.test' }])
    await login('ada@example.test')
    const raised = (await stored('ada@example.test'))?.passwordHash
    const file = [ada, { email: 'grace@example.test', passwordHash: scryptHash }]
    expect((await run(file, { existing: 'update' })).results).toStrictEqual([
      { line: 1, outcome: 'skipped' },
      { line: 2, outcome: 'updated' },
    ])
    expect((await stored('ada@example.test'))?.passwordHash).toBe(raised)
    await login('grace@example.test')
  })

  it('has new permissions at once, also in existing sessions', async () => {
    const { countersign, run, login } = await given()
    await run([ada])
    const { accessToken } = await login('ada@example.test')
    await run([{ email: ada.email, permissions: ['project.delete'] }], { existing: 'update' })
    const { permissions } = await countersign.auth.authenticate({ token: accessToken })
    expect(permissions).toStrictEqual(['project.delete'])
  })

  it('is changed at the third attempt if others change the user, and is refused after that', async () => {
    const { storage, run, stored } = await given()
    await run([ada])
    const racedBy = async (others: number) => {
      let transactions = 0
      const raced: typeof storage = {
        ...storage,
        transaction: (work) => {
          transactions += 1
          const isRaced = transactions <= others
          return storage.transaction((tx) =>
            work(isRaced ? { ...tx, users: { ...tx.users, change: async () => undefined } } : tx),
          )
        },
      }
      const test = await given({ storage: raced })
      return test.run([{ email: ada.email, name: `Ada after ${others}` }], { existing: 'update' })
    }
    expect((await racedBy(2)).counts).toStrictEqual(counts({ updated: 1 }))
    await expect(racedBy(3)).rejects.toThrow(UserChangedMeanwhile)
    expect(await stored('ada@example.test')).toMatchObject({ name: 'Ada after 2' })
  })

  it('has the values of the last of several lines', async () => {
    const { run, stored } = await given()
    const { results } = await run([ada, { ...ada, name: 'Second' }, { ...ada, name: 'Third' }], { existing: 'update' })
    expect(results.map(({ outcome }) => outcome)).toStrictEqual(['created', 'updated', 'updated'])
    expect(await stored('ada@example.test')).toMatchObject({ name: 'Third' })
  })

  it('is refused if a directory keeps the user', async () => {
    const { storage, run } = await given()
    await storage.users.create([
      {
        email: 'host@example.test',
        directoryId: 'host-1',
        name: '',
        employee: { id: '', name: '', avatarFileId: '' },
        department: { id: '', name: '' },
        permissions: [],
        passwordHash: null,
        createdAt: 0,
      },
    ])
    const { results } = await run([{ email: 'host@example.test', passwordHash: bcryptHash }], { existing: 'update' })
    expect(results).toStrictEqual([{ line: 1, outcome: 'refused', reason: 'email: must not be that of a user of a directory' }])
  })
})

describe('a dry run', () => {
  it('returns the results of the import, and writes nothing', async () => {
    for (const existing of ['skip', 'update'] as const) {
      const { run, storage } = await given()
      await run([ada])
      const file = [
        { ...ada, name: 'Eve' },
        { email: 'grace@example.test' },
        { email: 'no address' },
        ...Array.from({ length: 300 }, (_, index) => ({ email: `user-${index}@example.test` })),
        { email: 'GRACE@example.test', name: 'Grace' },
      ]
      const before = await storage.users.list({ afterId: 0, limit: 1000 })
      const dry = await run(file, { existing, dryRun: true })
      expect(await storage.users.list({ afterId: 0, limit: 1000 })).toStrictEqual(before)
      expect(dry).toStrictEqual(await run(file, { existing }))
      expect(dry.counts).toMatchObject({ created: 301, refused: 1 })
    }
  })
})

describe('a line is refused alone, with a reason that does not repeat it', () => {
  it.each([
    [7, 'body: must be an object'],
    [{}, 'email: must be text'],
    [{ email: 'canary' }, 'email: must be one email address of at most 254 characters'],
    [{ email: 'ca\u200Bnary@example.test' }, 'email: must have no invisible characters'],
    [
      { email: 'x@example.test', password_hash: bcryptHash },
      'password_hash: must be absent: the members are email, name, passwordHash',
    ],
    [{ email: 'x@example.test', employee: { number: 'canary' } }, 'employee.number: must be absent: the members are id, name'],
    [{ email: 'x@example.test', name: 'canary\0' }, 'name: must be text without NUL'],
    [{ email: 'x@example.test', permissions: 'project.read' }, 'permissions: must be a list of texts'],
    [{ email: 'x@example.test', permissions: ['canary'] }, 'permissions: must have the form <resource>.<action>'],
    [
      { email: 'x@example.test', permissions: Array.from({ length: 400 }, (_, index) => `resource-${index}.read`) },
      'permissions: must take at most 5000 bytes in a token',
    ],
    [{ email: 'x@example.test', passwordHash: 'canary' }, 'passwordHash: must be a hash in PHC or modular crypt format'],
    [{ email: 'x@example.test', passwordHash: '' }, 'passwordHash: must be a hash in PHC or modular crypt format'],
    [
      { email: 'x@example.test', passwordHash: bcryptHash.replace('$05$', '$31$') },
      'passwordHash: must have a bcrypt cost of 4 to 14',
    ],
  ])('%j', async (bad, reason) => {
    const { run, storage } = await given()
    const { counts: found, results } = await run([ada, bad, { email: 'grace@example.test' }])
    expect(found).toStrictEqual(counts({ created: 2, refused: 1 }))
    expect(results[1]).toStrictEqual({ line: 2, outcome: 'refused', reason: expect.stringContaining(reason) })
    expect(JSON.stringify(results)).not.toContain('canary')
    expect(await storage.users.list({ afterId: 0, limit: 10 })).toHaveLength(2)
  })

  it('also if the line could not be parsed', async () => {
    const { countersign } = await given()
    const results: unknown[] = []
    const lines = [
      { line: 1, reason: 'must be a JSON object' },
      { line: 2, value: ada },
    ]
    await countersign.users.import({ lines, onResult: (result) => results.push(result) })
    expect(results).toStrictEqual([
      { line: 1, outcome: 'refused', reason: 'must be a JSON object' },
      { line: 2, outcome: 'created' },
    ])
  })

  it('also if the hasher of the host does not support imported hashes', async () => {
    const { passwords } = await createTestCountersign()
    const { acceptHash: _, ...unknowing } = passwords
    const { run } = await given({ passwords: unknowing })
    const { results } = await run([ada, { ...ada, passwordHash: null }])
    expect(results).toStrictEqual([
      { line: 1, outcome: 'refused', reason: expect.stringContaining('passwordHash: must be absent') },
      { line: 2, outcome: 'created' },
    ])
  })
})

describe('an import', () => {
  it('is refused if a directory keeps the users', async () => {
    const users = { byEmail: async () => undefined, byId: async () => undefined }
    await expect((await given({ users })).run([ada])).rejects.toThrow('The user directory of the host keeps this')
  })

  it.each([null, 'a line', 7])('is refused for lines that are not objects: %j', async (line) => {
    const { countersign, storage } = await given()
    const lines = [{ line: 1, value: ada }, line] as unknown as ImportUsers['lines']
    await expect(countersign.users.import({ lines })).rejects.toThrow(
      new Invalid({ lines: 'must be objects with line and value' }),
    )
    expect(await storage.users.list({ afterId: 0, limit: 10 })).toStrictEqual([])
  })

  it('is refused with permissions if the host gates grants, and stores nothing of that batch', async () => {
    const { run, storage } = await given({ options: { gates: { 'user.grant': { actionType: 'user_access' } } } })
    await expect(run([{ email: 'x@example.test' }, ada])).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
    expect(await storage.users.list({ afterId: 0, limit: 10 })).toStrictEqual([])
    expect((await run([{ email: 'x@example.test' }, { ...ada, permissions: [] }])).counts).toStrictEqual(counts({ created: 2 }))
    const granting = run([{ email: 'x@example.test', permissions: ['*.*'] }], { existing: 'update' })
    await expect(granting).rejects.toMatchObject({ code: 'CONFIRMATION_REQUIRED' })
  })

  it('keeps the earlier batches if the file ends with an error', async () => {
    const { countersign, storage } = await given()
    async function* failing() {
      for (let line = 1; line <= 300; line += 1) yield { line, value: { email: `user-${line}@example.test` } }
      throw new Error('the disk is gone')
    }
    await expect(countersign.users.import({ lines: failing() })).rejects.toThrow('the disk is gone')
    expect(await storage.users.list({ afterId: 0, limit: 1000 })).toHaveLength(250)
  })

  it('refuses options that it does not know', async () => {
    const { countersign } = await given()
    const existing = 'replace' as 'update'
    await expect(countersign.users.import({ lines: [], existing })).rejects.toThrow(Invalid)
  })
})

describe('permissions that an import changes', () => {
  const linesOf = (logger: TestCountersign['logger']) =>
    logger.entries.filter(({ event }) => event.startsWith('permissions_')).map(({ event, fields }) => ({ event, ...fields }))

  it('are logged, with the users who gained or lost each', async () => {
    const { run, stored, logger } = await given()
    await run([ada, { email: 'grace@example.test' }])
    const { id: userId } = (await stored('ada@example.test')) ?? {}
    const update = [{ ...ada, permissions: ['project.read', 'project.create'] }]
    await run(update, { existing: 'update', dryRun: true })
    await run(update, { existing: 'update' })
    const by = 'import'
    expect(linesOf(logger)).toEqual([
      { event: 'permissions_granted', userId, permissions: ['project.read', 'project.update'], by },
      { event: 'permissions_granted', userId, permissions: ['project.create'], by },
      { event: 'permissions_revoked', userId, permissions: ['project.update'], by },
    ])
  })

  it('are logged as a number of users for each permission if many users gain them', async () => {
    const { run, logger } = await given()
    await run(Array.from({ length: 21 }, (_, index) => ({ email: `${index}@example.test`, permissions: ['a.read'] })))
    await run([{ email: 'last@example.test', permissions: ['a.read'] }])
    expect(linesOf(logger)).toEqual([
      { event: 'permissions_granted', permissions: ['a.read'], users: 21, by: 'import' },
      { event: 'permissions_granted', userId: 22, permissions: ['a.read'], by: 'import' },
    ])
  })
})
