import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { Invalid } from '../../shared/errors.ts'
import {
  createTestUser,
  registerTestDevice,
  type SignedIn,
  signIn,
  signInNewDeviceUser,
  signInNewUser,
} from '../../testing/sign-in.ts'

const payment = {
  actionType: 'payment_approval',
  actionPayload: { amount: 1, currency: 'EUR', recipient: 'Ada' },
} as const
const unseen = ['', ' ', '\u2800', '\u00a0', '\u{1d159}', '\u200d', '\u3164', '\u0301']

let test: TestCountersign
let asker: SignedIn
beforeEach(async () => {
  test = await createTestCountersign()
  asker = await signInNewUser(test)
})

describe('what the requester says of a request', () => {
  it('is refused if nobody could see it', async () => {
    const { approvalRequests, actionPolicies, confirmations, services } = test.countersign
    const bands = [{ groups: 'none', reasonRequired: true }] as const
    await actionPolicies.set({ actionType: payment.actionType, bands })
    const service = { name: 'billing', scopes: [`confirmation.request:${payment.actionType}`] }
    for (const text of unseen) {
      const context = { reason: text }
      await expect(approvalRequests.start({ ...payment, context, caller: asker.caller })).rejects.toThrow(Invalid)
      await expect(confirmations.initiate({ ...payment, context, caller: asker.caller })).rejects.toThrow('context')
      const asked = { ...payment, service, userId: asker.user.id, onBehalfOf: text }
      await expect(services.initiate(asked)).rejects.toThrow('onBehalfOf')
    }
    expect(await approvalRequests.start({ ...payment, context: { reason: 'Rent' }, caller: asker.caller })).toMatchObject({
      status: 'approved',
    })
  })

  it('is refused, with the name of the member, if it changes the direction of reading', async () => {
    const { confirmations, services } = test.countersign
    const refused = expect.stringContaining('which change the direction of text')
    const service = { name: 'billing', scopes: [`confirmation.initiate:${payment.actionType}`] }
    const onBehalfOf = services.initiate({ ...payment, service, userId: asker.user.id, onBehalfOf: 'a\u202eb' })
    await expect(onBehalfOf).rejects.toMatchObject({ fields: { onBehalfOf: refused } })
    for (const [context, field] of [
      [{ reason: 'a\u202eb' }, 'context.reason'],
      [{ 'a\u202eb': 'x' }, 'context'],
    ] as const) {
      const asked = confirmations.initiate({ ...payment, context, caller: asker.caller })
      await expect(asked).rejects.toMatchObject({ fields: { [field]: refused } })
    }
  })

  it('is signed with the name of a service, which is no user', async () => {
    const { user, caller } = await signInNewDeviceUser(test).then(({ mobile, ...rest }) => ({ ...rest, caller: mobile.caller }))
    const service = { name: 'billing', scopes: [`confirmation.initiate:${payment.actionType}`] }
    await test.countersign.services.initiate({ ...payment, service, userId: user.id })
    const [asked] = await test.countersign.confirmations.pending({ caller })
    expect(JSON.parse(asked?.statementText ?? '').requester).toStrictEqual({
      kind: 'service',
      id: null,
      externalId: null,
      name: 'billing',
    })
  })

  it('names a requester by email whose own name nobody could see', async () => {
    const user = await createTestUser(test, { name: '\u2800 \u3164' })
    const { caller } = await signIn(test, user)
    await registerTestDevice(test, caller)
    const { id } = await test.countersign.confirmations.initiate({ ...payment, caller })
    const { display } = await test.countersign.confirmations.status({ confirmationId: id, caller })
    expect(display.en?.lines.at(-1)).toStrictEqual({ label: 'Asked by', value: `\u2068${user.email}\u2069` })
  })
})
