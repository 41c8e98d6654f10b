import type { Input } from '@countersign/contract'
import { describeGated, type PrepareCall } from '../../../test/describe-gated.ts'
import type { GateName } from '../../approvals/gate-options.ts'

type Change = Partial<Omit<Input<'projects.update'>, 'uniqueCode'>>

const gates = {
  'project.approve': { actionType: 'document_approval' },
  'project.delete': { actionType: 'document_approval' },
  'user.grant': { actionType: 'user_access' },
} as const

/** Prepares a call for a project. An approved project was approved before the gate. */
const onProject =
  (
    status: 'pending' | 'approved',
    call: (
      projects: Parameters<PrepareCall>[0]['countersign']['projects'],
      input: {
        readonly caller: Parameters<PrepareCall>[1]['web']['caller']
        readonly uniqueCode: string
        readonly confirmationId?: string
      },
    ) => Promise<unknown>,
  ): PrepareCall =>
  async ({ countersign, storage, clock }, { user, web }) => {
    const { customers, projects } = countersign
    const customer = await customers.create({ name: 'Mills & Co', email: 'mills@example.test' })
    const caller = { ...web.caller, permissions: ['*.*'] }
    const given = { name: 'A mill', customerId: customer.id, contractValue: 1000, currency: 'EUR' as const }
    const { uniqueCode } = await projects.create({ ...given, caller })
    await storage.transaction((tx) => tx.projects.projects.change(uniqueCode, { status }, clock.now(), () => undefined))
    return {
      run: (confirmationId) => call(projects, { caller, uniqueCode, ...(confirmationId && { confirmationId }) }),
      read: () => projects.get({ caller: { userId: user.id, permissions: ['*.*'] }, uniqueCode }).catch(({ code }) => code),
    }
  }

const update = (status: 'pending' | 'approved', change: Change) =>
  onProject(status, (projects, input) => projects.update({ ...input, ...change }))

/** Every gate of projects must be here. */
const calls = {
  'project.approve': {
    guarded: {
      approving: onProject('pending', (projects, input) => projects.approve(input)),
      'approving once more': onProject('approved', (projects, input) => projects.approve(input)),
      'setting the status approved': update('pending', { status: 'approved' }),
      'renaming an approved project': update('approved', { name: 'A forge' }),
      'another value of an approved project': update('approved', { contractValue: 2 }),
      'taking the status approved away': update('approved', { status: 'pending' }),
    },
    free: {
      'renaming a project that is not approved': update('pending', { name: 'A forge' }),
      'a status that approves nothing': update('pending', { status: 'lost' }),
      'what no approval covers': update('approved', { description: 'Of brass', name: 'A mill', status: 'approved' }),
      'the progress of an approved project': update('approved', { progress: 'bidding' }),
    },
  },
  'project.delete': { guarded: { deleting: onProject('approved', (projects, input) => projects.remove(input)) }, free: {} },
} satisfies Record<Extract<GateName, `project.${string}`>, Parameters<typeof describeGated>[2]>

for (const gate of ['project.approve', 'project.delete'] as const) describeGated(gate, gates, calls[gate])
