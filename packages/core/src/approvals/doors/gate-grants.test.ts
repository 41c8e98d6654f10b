import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { expect, it } from 'vitest'
import { describeGated, type PrepareCall } from '../../../test/describe-gated.ts'
import { days } from '../../shared/clock.ts'
import { createTestUser } from '../../testing/sign-in.ts'
import type { GateName } from '../gate-options.ts'

const gates = {
  'project.approve': { actionType: 'document_approval' },
  'project.delete': { actionType: 'document_approval' },
  'user.grant': { actionType: 'user_access' },
} as const
const permissions = ['payment.approve']
const email = 'bob@example.com'

const granting: PrepareCall = async (test, { user }) => {
  const bob = await createTestUser(test, { email })
  const { users } = test.countersign
  return {
    run: (confirmationId) => users.grant({ email: bob.email, permissions, caller: { userId: user.id }, confirmationId }),
    read: async () => (await users.find({ email: bob.email })).permissions,
  }
}

const delegating: PrepareCall = async (test, { user }) => {
  const bob = await createTestUser(test, { email })
  const { users } = test.countersign
  const given = { from: user.email, to: bob.email, permission: 'payment.approve', until: test.clock.now() + days(1) }
  return {
    run: (confirmationId) => users.delegate({ ...given, caller: { userId: user.id }, confirmationId }),
    read: () => users.delegations({ email: bob.email }),
  }
}

const creating =
  (granted: readonly string[]): PrepareCall =>
  async ({ countersign: { users } }, { user }) => ({
    run: (confirmationId) => users.create({ email, permissions: granted, caller: { userId: user.id }, confirmationId }),
    read: () => users.find({ email }).catch(({ code }) => code),
  })

/** Every gate outside of projects must be here. */
const calls = {
  'user.grant': {
    guarded: { 'a grant': granting, 'a delegation': delegating, 'a new user with permissions': creating(permissions) },
    free: { 'a new user without permissions': creating([]) },
  },
} satisfies Record<Exclude<GateName, `project.${string}`>, Parameters<typeof describeGated>[2]>

describeGated('user.grant', gates, calls['user.grant'])

it('a change of settings that creates a user with permissions says that there were none before', async () => {
  const { users } = (await createTestCountersign({ options: { gates: { 'user.grant': { actionType: 'settings_change' } } } }))
    .countersign
  const change = { settingKey: `permissions of ${email}`, oldValue: null, newValue: { permissions }, operation: 'user.create' }
  const details = expect.objectContaining({ actionType: 'settings_change', actionPayload: change })
  await expect(users.create({ email, permissions, caller: { userId: 1 } })).rejects.toMatchObject({ details })
})
