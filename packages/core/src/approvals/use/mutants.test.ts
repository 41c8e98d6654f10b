import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { approvePending } from '../../testing/approve-payment.ts'
import { signInNewDeviceUser } from '../../testing/sign-in.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'

const permission = 'payment.approve'
const action = {
  actionType: 'payment_approval',
  actionPayload: validPayloads.payment_approval,
  operation: 'bank.pay',
} as const
const types = ['payment_approval', 'purchase_order', 'document_approval']
type Stated = Record<string, unknown>

/** Changes one thing of what was signed: the type, a member of the payload, the operation, or another member. */
const mutantOf = (signed: Stated, others: Readonly<Record<string, fc.Arbitrary<unknown>>> = {}) => {
  const changes: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    actionType: fc.constantFrom(...types),
    operation: fc.option(fc.stringMatching(/^[A-Za-z0-9._:-]{1,64}$/)),
    actionPayload: fc
      .tuple(fc.constantFrom('amount', 'currency', 'recipient', 'more'), fc.jsonValue({ maxDepth: 1 }))
      .map(([name, value]) => ({ ...(signed.actionPayload as object), [name]: value })),
    ...others,
  }
  return fc
    .constantFrom(...Object.keys(changes))
    .chain((name) => (changes[name] ?? fc.constant(undefined)).map((value): Stated => ({ ...signed, [name]: value })))
    .filter((stated) => canonicalize(stated) !== canonicalize(signed))
}

/** Counts the codes with which random changes are refused, and expects that what was signed is then taken. */
const codesOf = async (mutant: fc.Arbitrary<Stated>, use: (stated: Stated) => Promise<unknown>) => {
  const codes = new Map<string, number>()
  const once = async (stated: Stated) => {
    const code = await use(stated).then(
      () => 'taken',
      (error: { readonly code?: string }) => error.code ?? String(error),
    )
    codes.set(code, (codes.get(code) ?? 0) + 1)
  }
  await fc.assert(fc.asyncProperty(mutant, once), { numRuns: 500, seed: 20_251_123 })
  return codes
}

it('none of 500 random changes of an approved action consumes the approval', async () => {
  const test = await createTestCountersign()
  const user = await signInNewDeviceUser(test)
  const { id: confirmationId } = await test.countersign.confirmations.initiate({ ...action, caller: user.web.caller })
  await approvePending(test, user)
  const consume = (stated: Stated) =>
    test.countersign.confirmations.consume({ ...stated, confirmationId, userId: user.user.id, consumedBy: 'payment 1' } as never)
  const codes = await codesOf(mutantOf(action), consume)
  // A payload without a canonical form cannot be an action.
  expect([...codes.keys()].sort()).toEqual(['invalid_input', 'other_action'])
  await expect(consume(action)).resolves.toHaveProperty('receipt')
})

it('none of 500 random changes of an action or a policy redeems the request that two people approved', async () => {
  const test = await createTestCountersign({ options: { approvalPolicies: { payment_approval: { permission, count: 2 } } } })
  const { countersign } = test
  const aUser = () => signInNewDeviceUser(test, { permissions: [permission] })
  const [requester, ...approvers] = [await aUser(), await aUser(), await aUser()]
  const { id: approvalId } = await countersign.approvalRequests.start({ ...action, caller: requester.web.caller })
  for (const approver of approvers) await approvePending(test, approver)
  const service = { name: 'billing', scopes: types.map((type) => `approval.redeem:${type}`) }
  const redeem = (stated: Stated) => countersign.approvalRequests.redeem({ ...stated, approvalId, service } as never)
  const others = {
    permission: fc.constantFrom('payment.read', 'payment.approves', '*.*'),
    count: fc.integer({ min: 1, max: 20 }),
  }
  const signed = { ...action, permission, count: 2 }
  const codes = await codesOf(mutantOf(signed, others), redeem)
  expect([...codes.keys()].sort()).toEqual(['other_action', 'other_policy'])
  await expect(redeem(signed)).resolves.toMatchObject({ count: 2 })
})
