import { describe, expect, it } from 'vitest'
import { aConfirmation } from '../../testing/builders.ts'
import { isYoungEnough, reachesConfirmation, statusAt } from './confirmation.ts'

describe('the status of a confirmation', () => {
  const pending = aConfirmation()
  const { createdAt, expiresAt } = pending

  it('is pending before `expiresAt`, and expired from that millisecond on', () => {
    expect(statusAt(pending, createdAt)).toBe('pending')
    expect(statusAt(pending, expiresAt - 1)).toBe('pending')
    expect(statusAt(pending, expiresAt)).toBe('expired')
    expect(statusAt(pending, expiresAt + 1)).toBe('expired')
  })

  it.each(['approved', 'rejected'] as const)('stays %s for ever', (status) => {
    const settled = aConfirmation({ status })
    for (const now of [createdAt, expiresAt - 1, expiresAt, expiresAt + 1_000_000]) expect(statusAt(settled, now)).toBe(status)
  })
})

describe('the age of an approval', () => {
  it('allows a use until the millisecond at which the approval has the greatest age', () => {
    const ages = [99, 100, 101].map((age) => isYoungEnough({ approvalId: null }, 1000, 100, 1000 + age))
    expect(ages).toStrictEqual([true, true, false])
  })

  it('does not matter for the vote of a request', () => {
    expect(isYoungEnough({ approvalId: 'appr_1' }, 1000, 100, 5000)).toBe(true)
  })
})

describe('a session, device or passkey', () => {
  it.each([
    [null, 'any confirmation', { tenant: 'acme', boundTo: ['other'] }, true],
    [['acme', 'beta'], 'a confirmation in its tenants', { tenant: 'beta', boundTo: null }, true],
    [['acme'], 'a confirmation in another tenant', { tenant: 'other', boundTo: null }, false],
    [['acme'], 'a confirmation in another tenant with the same bound', { tenant: 'other', boundTo: ['acme'] }, false],
    [['acme'], 'a confirmation in no tenant', { tenant: null, boundTo: null }, false],
    [['acme'], 'the vouching with the same bound', { tenant: null, boundTo: ['acme'] }, true],
    [['acme'], 'the vouching with another bound', { tenant: null, boundTo: ['other'] }, false],
  ] as const)('with the bound %j reaches %s, %j: %s', (tenants, _, confirmation, expected) => {
    expect(reachesConfirmation(tenants, confirmation)).toBe(expected)
  })
})
