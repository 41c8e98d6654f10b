import { describe, expect, it } from 'vitest'
import { aConfirmation } from '../../testing/builders.ts'
import { isYoungEnough, statusAt } from './confirmation.ts'

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
