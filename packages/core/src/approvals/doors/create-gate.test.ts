import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { Invalid } from '../../shared/errors.ts'
import { approve, approvePending } from '../../testing/approve-payment.ts'
import { type DeviceUser, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { ConfirmationNotFound } from '../confirmations/errors.ts'
import { ApprovalRedeemed } from '../requests/errors.ts'
import { ActionMismatch, ConfirmationConsumed, ConfirmationNotApproved } from '../use/errors.ts'
import { ConfirmationRequired, type RequiredAction } from './errors.ts'
import type { GatedAction, HostGate } from './gate.ts'

interface Transfer {
  readonly amount: number
  readonly to: string
}

let test: TestCountersign
let user: DeviceUser
let transfer: HostGate<Transfer>
beforeEach(async () => {
  test = await createTestCountersign()
  user = await signInNewDeviceUser(test)
  transfer = test.countersign.createGate<Transfer>({
    name: 'bank.transfer',
    actionType: 'payment_approval',
    build: ({ amount, to }) => ({ actionPayload: { amount, currency: 'EUR', recipient: to, from: undefined } }),
  })
})

const action = { amount: 1250.5, to: 'Ada’s Workshop' }
const call = (given: object = {}) => transfer({ caller: user.web.caller, action, ...given })

const requiredBy = async (given: object = {}): Promise<RequiredAction> => {
  const error: unknown = await call(given).catch((thrown: unknown) => thrown)
  if (!(error instanceof ConfirmationRequired)) throw new Error('the gate is open')
  return error.details
}

const approved = async (required: RequiredAction, person = user): Promise<string> => {
  const given = { caller: person.web.caller, ...required }
  const initiated = await test.countersign.confirmations.initiate(given)
  await approve(test, person, initiated)
  return initiated.id
}

describe('a gate of the host', () => {
  it('refuses a call without an approval, with the action as JSON', async () => {
    expect(await requiredBy()).toStrictEqual({
      actionType: 'payment_approval',
      actionPayload: { amount: 1250.5, currency: 'EUR', recipient: 'Ada’s Workshop' },
      operation: 'bank.transfer',
      tenant: null,
      policy: null,
    })
    for (const confirmationId of [undefined, null]) expect(await requiredBy({ confirmationId })).toBeDefined()
  })

  it('lets one call with the approval pass, and is stored as the consumer', async () => {
    const confirmationId = await approved(await requiredBy())
    expect(await call({ confirmationId })).toStrictEqual({
      receipts: [expect.stringMatching(/^eyJ/)],
      consumedAt: test.clock.now(),
    })
    await expect(call({ confirmationId })).rejects.toStrictEqual(new ConfirmationConsumed())
    const stored = await test.storage.confirmations.byId(confirmationId)
    expect(stored).toMatchObject({ consumedBy: 'gate:bank.transfer' })
  })

  it('refuses the approval of exactly this action for another gate, and for no gate', async () => {
    const required = await requiredBy()
    for (const operation of ['bank.refund', null]) {
      const confirmationId = await approved({ ...required, operation } as RequiredAction)
      await expect(call({ confirmationId })).rejects.toStrictEqual(new ActionMismatch())
    }
    const confirmationId = await approved(required)
    const { operation: _, tenant: __, ...alone } = { tenant: null, operation: null, ...required }
    const use = { ...alone, confirmationId, userId: user.user.id, consumedBy: 'payment 1' }
    await expect(test.countersign.confirmations.consume(use)).rejects.toStrictEqual(new ActionMismatch())
    await expect(test.countersign.confirmations.consume({ ...use, operation: 'bank.transfer' })).resolves.toBeDefined()
  })

  it('lets one of 100 concurrent calls pass', async () => {
    const confirmationId = await approved(await requiredBy())
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => call({ confirmationId })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('refuses the approval of another input and of another user, which stay unused', async () => {
    const confirmationId = await approved(await requiredBy())
    await expect(call({ confirmationId, action: { ...action, amount: 9999 } })).rejects.toStrictEqual(new ActionMismatch())
    const other = await signInNewDeviceUser(test)
    await expect(call({ confirmationId, caller: other.web.caller })).rejects.toStrictEqual(new ConfirmationNotFound())
    await expect(call({ confirmationId })).resolves.toBeDefined()
  })

  it.each([
    { caller: undefined },
    { caller: {} },
    { caller: { userId: 'x' } },
    { confirmationId: 7 },
    { confirmationId: 'a\0' },
    { requestId: 7 },
  ])('refuses the call %j', async (given) => {
    await expect(call(given)).rejects.toThrow(Invalid)
  })

  it.each([['requestId'], ['confirmationId']])('with a policy takes the id of a request as `%s`', async (name) => {
    const { actionPolicies, approvalRequests, createGate } = test.countersign
    const policy = { permission: 'payment.approve', count: 2 } as const
    await actionPolicies.set({ actionType: 'payment_approval', ...policy })
    const gate = createGate<Transfer>({
      name: 'bank.pay',
      actionType: 'payment_approval',
      build: ({ amount, to }) => ({ actionPayload: { amount, currency: 'EUR', recipient: to }, policy }),
    })
    const callGate = (ids: object = {}) => gate({ caller: user.web.caller, action, ...ids })
    const required = await callGate().catch((error: unknown) => (error as ConfirmationRequired).details)
    expect(required).toMatchObject({ operation: 'bank.pay', policy: { count: 2 } })
    const permissions = ['payment.approve']
    const approvers = [await signInNewDeviceUser(test, { permissions }), await signInNewDeviceUser(test, { permissions })]
    const { id } = await approvalRequests.start({ ...(required as RequiredAction), caller: user.web.caller })
    for (const approver of approvers) await approvePending(test, approver)
    // The caller's own approval of this action is not enough, whatever it is presented as.
    const own = await approved(required as RequiredAction)
    await expect(callGate({ [name]: own })).rejects.toStrictEqual(new ConfirmationNotApproved())
    expect(await callGate({ [name]: id })).toMatchObject({ receipts: [expect.any(String), expect.any(String)] })
    await expect(callGate({ [name]: id })).rejects.toThrow(ApprovalRedeemed)
  })

  const otherGate = (build: () => unknown) =>
    test.countersign.createGate<undefined>({
      name: 'bank.close',
      actionType: 'settings_change',
      build: build as () => Promise<GatedAction>,
    })

  it('passes on an error of `build`, and uses nothing', async () => {
    const gate = otherGate(async () => {
      throw new Error('no such account')
    })
    await expect(gate({ caller: user.web.caller, action: undefined })).rejects.toThrow('no such account')
  })

  it.each([
    undefined,
    null,
    {},
    { actionPayload: [] },
    { actionPayload: {}, tenant: 7 },
    { actionPayload: {}, policy: 'two people' },
    { actionPayload: {}, policy: { permission: 'payment.approve' } },
    { actionPayload: {}, policy: { permission: 'payment.approve', count: 2, groups: 'none' } },
  ])('refuses the action %j of the host', async (built) => {
    const gate = otherGate(() => built)
    await expect(gate({ caller: user.web.caller, action: undefined })).rejects.toThrow(TypeError)
  })

  const named = (name: unknown) => () =>
    test.countersign.createGate({ name: name as string, actionType: 'x', build: () => ({ actionPayload: {} }) })

  it.each(['', 'transfer', 'Bank.transfer', 'bank.', 'bank.transfer.all', 'bank.transfer\n', 'project.approve', 7])(
    'cannot have the name %j',
    (name) => {
      expect(named(name)).toThrow(RangeError)
    },
  )

  it('can have a name of 64 characters, and no longer one', () => {
    expect(named(`bank.${'x'.repeat(60)}`)).toThrow(RangeError)
    expect(named(`bank.${'x'.repeat(59)}`)).not.toThrow()
  })

  it('cannot have the name of another gate', () => {
    expect(named('bank.transfer')).toThrow(RangeError)
    expect(named('bank.refund')).not.toThrow()
    expect(named('bank.refund')).toThrow(/bank\.refund already/)
  })

  it('needs an action type and a function that builds the action', () => {
    const { createGate } = test.countersign
    const build = () => ({ actionPayload: {} })
    expect(() => createGate({ name: 'bank.a', actionType: undefined as unknown as string, build })).toThrow(TypeError)
    expect(() => createGate({ name: 'bank.a', actionType: 'x', build: {} as unknown as typeof build })).toThrow(TypeError)
  })
})
