import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { checkedOptions, type GivenOptions } from '../../options.ts'
import { Invalid } from '../../shared/errors.ts'
import { createTestUser, signInNewUser, testPassword } from '../../testing/sign-in.ts'
import { checkedPassword } from './new-password.ts'

const check = (password: string, email = 'ada.lovelace@example.com', options: GivenOptions = {}) =>
  checkedPassword({ options: checkedOptions({ issuer: 'https://auth.acme.example', ...options }) }, password, { email })
const named: GivenOptions = { relyingParty: { id: 'acme.example', name: 'Acme Bank', origins: [] } }
const refused = (takes: string) => new Invalid({ password: takes })

describe('the length of a new password', () => {
  const length = refused('must be 12 to 128 characters')

  it.each([
    ['six letters with their accents apart', 'e\u0301'.repeat(6)],
    ['eleven characters', 'eleven char'],
    ['129 characters', 'long '.repeat(26).slice(0, 129)],
    ['one ligature that becomes 18 characters, eight times', '\uFDFA'.repeat(8)],
    ['more text than any password has, at once', 'e\u0301\u0315'.repeat(300_000)],
  ])('is counted in the form that is hashed: %s are refused', async (_, password) => {
    await expect(check(password)).rejects.toThrow(length)
  })

  it.each([
    ['twelve letters with their accents apart', 'e\u0301'.repeat(12)],
    ['128 letters with their accents apart', 'ae\u0301'.repeat(64)],
    ['one ligature that becomes 18 characters', '\uFDFA'],
  ])('is counted in the form that is hashed: %s are accepted', async (_, password) => {
    expect(await check(password)).toBe(password)
  })
})

describe('a new password is refused', () => {
  const common = refused('must not be one of the commonest passwords')
  it.each(['password1234', 'PassWord1234', 'ｐａｓｓｗｏｒｄ１２３４', 'qwerty123456', 'administrator', 'passwordpassword'])(
    'as one of the commonest: %s',
    async (password) => {
      await expect(check(password)).rejects.toThrow(common)
    },
  )

  const more = refused('must be more than the email or the name of the service with digits and punctuation')
  it.each([
    'ada.lovelace@example.com',
    'Ada.Lovelace@Example.COM!',
    'adalovelace1234',
    '1815-Ada-Lovelace-1852',
    'ada.lovelace ada.lovelace',
    'Acme Bank 2026!',
    'acmebankacmebank',
    'AcmeBank+AdaLovelace1',
    'https://auth.acme.example',
  ])('if it consists only of the email, its local part or the name of the service: %s', async (password) => {
    await expect(check(password, undefined, named)).rejects.toThrow(more)
  })

  it('if it is the local part of the email repeated, even if that is one letter or digits', async () => {
    await expect(check('a'.repeat(12), 'a@example.com')).rejects.toThrow(more)
    await expect(check('555-0199 555-0199', '5550199@example.com')).rejects.toThrow(more)
  })

  it('by the check of the host, which gets the NFKC form and the email', async () => {
    const seen: unknown[] = []
    const checkPassword = async (...given: unknown[]) => {
      seen.push(...given)
      return 'must not be an old one'
    }
    await expect(check('cafe\u0301 cafe\u0301 cafe\u0301', undefined, { checkPassword })).rejects.toThrow(
      refused('must not be an old one'),
    )
    expect(seen).toStrictEqual(['caf\u00E9 caf\u00E9 caf\u00E9', { email: 'ada.lovelace@example.com' }])
  })
})

it.each(['ada.lovelace wrote notes', 'acme bank is not my bank', '482915628301', testPassword, 'correct horse battery staple'])(
  'a password with more in it is accepted: %s',
  async (password) => {
    expect(await check(password, undefined, named)).toBe(password)
  },
)

describe('each way to a new password', () => {
  const common = 'password1234'
  const message = 'must not be one of the commonest passwords'

  it('has the same rules, and a refused password uses up no code', async () => {
    const test = await createTestCountersign()
    const { countersign } = test
    const { email, id } = await createTestUser(test)
    await expect(countersign.users.create({ email: 'grace@example.test', password: common })).rejects.toThrow(
      `password: ${message}`,
    )
    await expect(countersign.users.setPassword({ email, password: common })).rejects.toThrow(`password: ${message}`)
    await expect(countersign.users.setPassword({ email: String(id), password: `${email}1!` })).rejects.toThrow(
      'password: must be more than the email',
    )
    const { code } = await countersign.users.resetPassword({ email })
    await expect(countersign.password.setWithCode({ code, newPassword: common })).rejects.toThrow(`newPassword: ${message}`)
    await expect(countersign.password.setWithCode({ code, newPassword: `${email}1!` })).rejects.toThrow(
      'newPassword: must be more',
    )
    await countersign.password.setWithCode({ code, newPassword: 'a password of my own' })

    const { caller } = await signInNewUser(test)
    const change = (currentPassword: string, newPassword: string) =>
      countersign.password.change({ caller, currentPassword, newPassword })
    await expect(change('wrong', common)).rejects.toThrow(`newPassword: ${message}`)
    await expect(change(testPassword, 'e\u0301'.repeat(6))).rejects.toThrow('newPassword: must be 12 to 128 characters')
    await change(testPassword, 'a password of my own')
  })
})
