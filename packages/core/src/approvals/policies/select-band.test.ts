import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Invalid } from '../../shared/errors.ts'
import { approvePending } from '../../testing/approve-payment.ts'
import { signInNewDeviceUser } from '../../testing/sign-in.ts'
import type { PolicyBand } from '../records/action-policy.ts'
import { PolicyChanged } from './require-unchanged.ts'
import { selectBand } from './select-band.ts'

const actionType = 'payment_approval'
const service = { name: 'billing', scopes: [`approval.redeem:${actionType}`] }
const finance = (count: number) => ({ permission: 'finance.approve', count }) as const
const names = Array.from({ length: 20 }, (_, at) => `supplier-${at + 10}`)
/** Two approvals for 20 recipients, and one for any other. */
const bands: readonly PolicyBand[] = [
  { when: { properties: { recipient: { type: 'string', pattern: names.join('|') } } }, groups: [finance(2)] },
  { when: { properties: { amount: { type: 'number', maximum: 1000 } } }, groups: [finance(1)] },
  { groups: [finance(3)] },
]
const paymentTo = (recipient: string) => ({ amount: 10, currency: 'EUR', recipient })
const tooMuch = paymentTo(`supplier-19${' '.repeat(3800)}`)

describe('a payload whose check takes too much work', () => {
  it('falls into no weaker band, even if a text is padded', async () => {
    const padding = fc.record({ unit: fc.constantFrom(' ', 'x', 'supplier-', '\u00a0', '😀'), length: fc.nat(3900) })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), padding, fc.boolean(), async (name, { unit, length }, isBefore) => {
        const text = unit.repeat(length / unit.length)
        const band = await selectBand({ bands }, paymentTo(isBefore ? text + name : name + text))
        expect(band ?? 0).toBe(0)
      }),
    )
    expect(await selectBand({ bands }, paymentTo('supplier-19'))).toBe(0)
    expect(await selectBand({ bands }, tooMuch)).toBeUndefined()
    expect(await selectBand({ bands }, paymentTo('Ada'))).toBe(1)
  })

  const given = async () => {
    const test = await createTestCountersign()
    const { approvalRequests, actionPolicies } = test.countersign
    const requester = await signInNewDeviceUser(test, {})
    const approver = await signInNewDeviceUser(test, { permissions: ['finance.approve'] })
    const start = () => approvalRequests.start({ actionType, actionPayload: tooMuch, caller: requester.web.caller })
    const redeem = (approvalId: string) =>
      approvalRequests.redeem({ actionType, actionPayload: tooMuch, approvalId, service, ...finance(1) })
    return { test, actionPolicies, approver, start, redeem }
  }

  it('is refused at the start and in a test of the policy', async () => {
    const { actionPolicies, start } = await given()
    expect(await actionPolicies.set({ actionType, bands })).toMatchObject({ bandsTooComplex: [0] })
    const complaint = { fields: { actionPayload: 'must be smaller or simpler: checking it takes too much work' } }
    await expect(start()).rejects.toMatchObject(complaint)
    await expect(start()).rejects.toThrow(Invalid)
    await expect(actionPolicies.test({ actionType, actionPayload: tooMuch })).rejects.toMatchObject(complaint)
  })

  it('is the subject of a warning when a policy of two bands is set', async () => {
    const { actionPolicies } = await given()
    const two = [bands[0], bands[2]] as readonly PolicyBand[]
    expect(await actionPolicies.set({ actionType, bands: two })).toMatchObject({ bandsTooComplex: [0] })
  })

  it('ends its request if a new policy cannot check the payload at the use', async () => {
    const { test, actionPolicies, approver, start, redeem } = await given()
    await actionPolicies.set({ actionType, ...finance(1) })
    const { id } = await start()
    await approvePending(test, approver)
    const next = [{ ...bands[0], groups: 'none' }, { groups: [finance(1)] }] as readonly PolicyBand[]
    expect((await actionPolicies.dryRun({ actionType, bands: next })).ended).toMatchObject([{ id }])
    await actionPolicies.set({ actionType, bands: next })
    await expect(redeem(id)).rejects.toThrow(PolicyChanged)
    await actionPolicies.set({ actionType, ...finance(1) })
    expect(await redeem(id)).toMatchObject({ count: 1 })
  })
})
