import type { GivenPolicy, NamedPolicy } from '@countersign/core'
import type { Payment } from './tables.ts'

/** The operation that the phones sign. An approval of a payment passes no other gate. */
export const PAY = 'bank.pay'

/** The largest payments, in cents, that need nobody, and that need the customer only. */
export const limits = { nobody: 1_000_00, phone: 50_000_00 } as const

const upTo = (cents: number) => ({
  type: 'object',
  properties: { amount: { type: 'number', maximum: cents / 100 }, currency: { const: 'EUR' } },
  required: ['amount', 'currency'],
})

/** Above 50,000 EUR, two other members of the account approve. A request for a smaller payment needs no approver. */
export const paymentPolicy: GivenPolicy = {
  version: 1,
  bands: [{ when: upTo(limits.phone), groups: 'none' }, { groups: [{ permission: 'payment.approve', count: 2 }] }],
}

const twoPeople: NamedPolicy = { permission: 'payment.approve', count: 2 }

type Need = 'nobody' | 'phone' | 'two people'

/** Returns who must approve a payment: above 1,000 EUR the customer, above 50,000 EUR two others. */
export const needOf = ({ cents }: Pick<Payment, 'cents'>): Need => {
  if (BigInt(cents) <= BigInt(limits.nobody)) return 'nobody'
  return BigInt(cents) <= BigInt(limits.phone) ? 'phone' : 'two people'
}

/** The action that people approve: every fact on which the booking depends. The gate compares it with the row when it books. */
export const actionOf = ({ id, account_id, recipient, cents }: Pick<Payment, 'id' | 'account_id' | 'recipient' | 'cents'>) => ({
  actionType: 'payment_approval' as const,
  actionPayload: { amount: Number(cents) / 100, currency: 'EUR', recipient, account: account_id, reference: id },
  tenant: account_id,
})

/** The action for the gate, with the policy that a large payment needs. */
export const gatedActionOf = (payment: Payment) => {
  const { actionPayload, tenant } = actionOf(payment)
  return { actionPayload, tenant, ...(needOf(payment) === 'two people' && { policy: twoPeople }) }
}
