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
