import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { seconds } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { testPassword } from '../../testing/sign-in.ts'
import { InvalidCredentials } from '../authentication/errors.ts'
import { EmailTaken } from '../user-model/errors.ts'
import type { CreateUser } from './create-user.ts'

const create = async (input: CreateUser, test?: TestCountersign) =>
  (test ?? (await createTestCountersign())).countersign.users.create(input)

/** Returns the wrong fields of a refused user. */
const complaintsOf = async (input: CreateUser): Promise<unknown> => {
  const outcome = await create(input).catch((error: unknown) => error)
  if (!(outcome instanceof Invalid)) throw new Error('the user was accepted')
  return outcome.fields
}

describe('creating a user', () => {
  it('returns the user without the password hash', async () => {
    const test = await createTestCountersign()
    test.clock.advance(seconds(3))
    const profile = await create(
      {
        email: 'Ada@Example.test',
        password: testPassword,
        name: 'Ada Lovelace',
        employee: { id: 'emp-7', name: 'Ada L.', avatarFileId: 'file-3' },
        department: { id: 'dep-1', name: 'Engines' },
        permissions: ['project.read', 'expense.*', 'project.read'],
      },
      test,
    )
    expect(profile).toStrictEqual({
      id: 1,
      directoryId: null,
      email: 'ada@example.test',
      name: 'Ada Lovelace',
      employee: { id: 'emp-7', name: 'Ada L.', avatarFileId: 'file-3' },
      department: { id: 'dep-1', name: 'Engines' },
      permissions: ['expense.*', 'project.read'],
      hasPassword: true,
      disabledAt: null,
      lockedAt: null,
      createdAt: test.clock.now(),
      updatedAt: test.clock.now(),
    })
    expect(await test.countersign.users.find({ email: 'ADA@example.test' })).toStrictEqual(profile)
  })

  it('needs only an email', async () => {
    expect(await create({ email: 'ada@example.test' })).toMatchObject({
      name: '',
      employee: { id: '', name: '', avatarFileId: '' },
      department: { id: '', name: '' },
      permissions: [],
      hasPassword: false,
    })
  })

  it('uses the name of the user as the name of the employee by default', async () => {
    expect(await create({ email: 'ada@example.test', name: 'Ada', employee: { id: 'emp-7' } })).toMatchObject({
      employee: { id: 'emp-7', name: 'Ada', avatarFileId: '' },
    })
  })

  it.each(['ada@example.test', 'ADA@EXAMPLE.TEST', 'ａｄａ@example.test'])(
    'is refused as a conflict for a taken email in the spelling %s',
    async (email) => {
      const test = await createTestCountersign()
      await create({ email: 'ada@example.test' }, test)
      await expect(create({ email }, test)).rejects.toStrictEqual(new EmailTaken())
    },
  )

  it.each([
    '',
    'ada',
    '@example.test',
    'ada@',
    'ada@example@test',
    'ada@example.test,bob@example.test',
    'ada@example.test;bob@example.test',
    'Ada <ada@example.test>',
    '"ada"@example.test',
    'ada @example.test',
    'ada@example.test\n',
    'ada\0@example.test',
    // NFKC turns these characters into a comma and an @, so emails are checked after the normalisation.
    'ada@example.test，bob@example.test',
    'ada＠x@example.test',
    `${'x'.repeat(243)}@example.test`,
  ])('refuses the email %j', async (email) => {
    expect(await complaintsOf({ email })).toStrictEqual({ email: 'must be one email address of at most 254 characters' })
  })

  // U+3164 and U+FFA0 are in the list because NFKC turns them into U+1160, which is invisible too.
  it.each(
    [
      ['\u00AD', '\u034F', '\u115F', '\u1160', '\u17B4', '\u180B', '\u200B', '\u200D', '\u202E', '\u2060', '\u2064', '\u2066'],
      [
        '\u3164',
        '\uFE00',
        '\uFE0F',
        '\uFEFF',
        '\uFFA0',
        '\uFFF0',
        '\u{1BCA0}',
        '\u{1D173}',
        '\u{E0020}',
        '\u{E0100}',
        '\u{E0FFF}',
      ],
      ['\u2800', '\u{13441}', '\u{13442}', '\u{16FE4}', '\u{1D159}'],
    ].flat(),
  )('refuses an email with the invisible character %j at any position', async (invisible) => {
    const test = await createTestCountersign()
    await create({ email: 'ada@example.test' }, test)
    for (const email of [`ada${invisible}@example.test`, `${invisible}ada@example.test`, `ada@exam${invisible}ple.test`]) {
      expect(await complaintsOf({ email })).toStrictEqual({ email: 'must have no invisible characters' })
      const outcome = test.countersign.auth.login({ email, password: testPassword })
      await expect(outcome).rejects.toStrictEqual(new InvalidCredentials())
    }
  })

  it('accepts an email of 254 characters, and emails in other scripts', async () => {
    await expect(create({ email: `${'x'.repeat(241)}@example.test` })).resolves.toBeDefined()
    await expect(create({ email: 'zoë+tag@bücher.example' })).resolves.toMatchObject({ email: 'zoë+tag@bücher.example' })
  })

  it.each(['nul\0nul\0nul\0', '\uD800'.repeat(12), 'correct horse\uDC00'])('refuses the password %j', async (password) => {
    const takes = { password: 'must be text without NUL and unpaired surrogates' }
    const email = 'ada@example.test'
    expect(await complaintsOf({ email, password })).toStrictEqual(takes)
    const test = await createTestCountersign()
    await create({ email, password: testPassword }, test)
    await expect(test.countersign.users.setPassword({ email, password })).rejects.toMatchObject({ fields: takes })
    await expect(test.countersign.auth.login({ email, password })).rejects.toThrow(Invalid)
  })

  it('refuses a permission of another form', async () => {
    expect(await complaintsOf({ email: 'ada@example.test', permissions: ['project.read', 'project.re ad'] })).toStrictEqual({
      permissions: 'must have the form <resource>.<action>, <resource>.* or *.*, each also with @<tenant>',
    })
  })

  it('accepts labels of up to 255 characters without control characters', async () => {
    const email = 'ada@example.test'
    const takes = 'must be at most 255 characters without control characters'
    await expect(create({ email, name: '𝕏'.repeat(255) })).resolves.toBeDefined()
    expect(await complaintsOf({ email, name: 'x'.repeat(256) })).toStrictEqual({ name: takes })
    expect(await complaintsOf({ email, employee: { id: 'a\nb' } })).toStrictEqual({ 'employee.id': takes })
    expect(await complaintsOf({ email, employee: { avatarFileId: '\0' } })).toStrictEqual({ 'employee.avatarFileId': takes })
    expect(await complaintsOf({ email, department: { name: '\u009B' } })).toStrictEqual({ 'department.name': takes })
    expect(await complaintsOf({ email, name: 'half a \uD835' })).toStrictEqual({ name: takes })
  })

  it.each(['\u202A', '\u202B', '\u202C', '\u202D', '\u202E', '\u2066', '\u2067', '\u2068', '\u2069'])(
    'refuses names with %j, which changes the direction of text',
    async (direction) => {
      const email = 'ada@example.test'
      const takes = 'must not contain U+202A to U+202E or U+2066 to U+2069, which change the direction of text'
      const name = `Ada${direction}ecalevoL`
      expect(await complaintsOf({ email, name })).toStrictEqual({ name: takes })
      expect(await complaintsOf({ email, employee: { name } })).toStrictEqual({ 'employee.name': takes })
      expect(await complaintsOf({ email, department: { name } })).toStrictEqual({ 'department.name': takes })
      const test = await createTestCountersign()
      await create({ email }, test)
      await expect(test.countersign.users.update({ email, name })).rejects.toMatchObject({ fields: { name: takes } })
    },
  )

  it('accepts names that are written from right to left', async () => {
    const name = 'עדה \u200Fלאבלייס'
    expect(await create({ email: 'ada@example.test', name })).toMatchObject({ name })
  })
})
