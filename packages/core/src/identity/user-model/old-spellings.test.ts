import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { expect, it } from 'vitest'
import { aNewUser } from '../../testing/builders.ts'
import { oldSpellings } from './old-spellings.ts'

it('the list of old spellings names each user whose stored email differs from the spelling of look-ups, and the user who has that spelling', async () => {
  const { storage } = await createTestCountersign()
  const emails = ['ada@xn--mnchen-3ya.example', 'ada@münchen.example', 'bob@xn--mnchen-3ya.example', 'eve@example.test']
  const [ada, other, bob] = await storage.users.create(emails.map((email) => aNewUser({ email })))
  expect(await oldSpellings(storage)).toStrictEqual([
    { userId: ada?.id, email: 'ada@xn--mnchen-3ya.example', spelling: 'ada@münchen.example', takenBy: other?.id },
    { userId: bob?.id, email: 'bob@xn--mnchen-3ya.example', spelling: 'bob@münchen.example', takenBy: undefined },
  ])
})
