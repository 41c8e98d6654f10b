import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { expect, it } from 'vitest'
import { memoryDirectory } from '../../testing/memory-directory.ts'
import { registerTestPasskey } from '../../testing/passkeys.ts'
import { testPassword } from '../../testing/sign-in.ts'
import { cheapHasher } from '../../testing/test-keys.ts'
import { InvalidCredentials } from '../authentication/errors.ts'
import { EmailTaken } from '../user-model/errors.ts'

/** Pairs of a stored email and another way to write it. */
const spellings = [
  ['ada@münchen.example', 'ada@xn--mnchen-3ya.example'],
  ['ada@xn--mnchen-3ya.example', 'ada@MÜNCHEN.example'],
  ['οδυσσευς@example.test', 'ΟΔΥΣΣΕΥΣ@example.test'],
  ['ada@example.test', ' ada@example.test\u00A0'],
  ['ada@例え.example', 'ada@例え。example'],
] as const

it.each(spellings)(
  'the user %j logs in by password and by passkey as %j, and nobody else gets the email',
  async (email, other) => {
    const test = await createTestCountersign()
    const { auth, passkeys, users } = test.countersign
    await users.create({ email, password: testPassword })
    const { accessToken } = await auth.login({ email: other, password: testPassword })
    const { passkey } = await registerTestPasskey(test, await auth.authenticate({ token: accessToken }))
    const begun = await passkeys.beginLogin({ email: other })
    expect(begun.publicKey.allowCredentials.map(({ id }) => id)).toStrictEqual([passkey.id])
    await expect(users.create({ email: other })).rejects.toStrictEqual(new EmailTaken())
    expect((await users.find({ email: other })).id).toBe(1)
  },
)

it.each(spellings)('an import of %j and %j makes one user', async (email, other) => {
  const { countersign, storage } = await createTestCountersign()
  async function* lines() {
    for (const [line, value] of [{ email }, { email: other }].entries()) yield { line, value }
  }
  expect(await countersign.users.import({ lines: lines() })).toMatchObject({ created: 1, skipped: 1 })
  expect(await storage.users.list({ afterId: 0, limit: 10 })).toHaveLength(1)
})

it.each([
  ['strasse@example.test', 'straße@example.test'],
  ['i@example.test', 'ı@example.test'],
  ['ada@strasse.example', 'ada@straße.example'],
  ['ada@example.test', 'ad\u00ADa@example.test'],
  ['ada@istanbul.example', 'ada@İstanbul.example'],
])(
  "the user %j of a host cannot sign in as %j, even if the host's look-up finds the user by that spelling",
  async (email, other) => {
    const directory = memoryDirectory()
    const id = await directory.add({ email, passwordHash: await cheapHasher().hash(testPassword), disabled: false })
    const { countersign } = await createTestCountersign({ users: { ...directory, byEmail: () => directory.byId(id) } })
    await countersign.auth.login({ email, password: testPassword })
    await expect(countersign.auth.login({ email: other, password: testPassword })).rejects.toStrictEqual(new InvalidCredentials())
  },
)
