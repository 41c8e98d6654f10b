import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { expect, it } from 'vitest'
import { createTestUser } from '../../testing/sign-in.ts'
import { whyUserDoesNotCount } from './why-uncounted.ts'

it('the approval of a user counts only while the account exists, is enabled and is not locked', async () => {
  const test = await createTestCountersign()
  const { id } = await createTestUser(test)
  const user = (await test.storage.users.byId(id)) ?? expect.fail('the user is not stored')
  const now = test.clock.now()
  expect(whyUserDoesNotCount(user)).toBeUndefined()
  expect(whyUserDoesNotCount({ ...user, lockedAt: now })).toBe('user_locked')
  expect(whyUserDoesNotCount({ ...user, disabledAt: now, lockedAt: now })).toBe('user_disabled')
  expect(whyUserDoesNotCount(undefined)).toBe('user_unknown')
})
