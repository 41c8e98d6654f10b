import type { Login } from './logins.ts'
import type { Bank } from './open-bank.ts'
import { limits, needOf } from './payment-rules.ts'
import type { Payment } from './tables.ts'

/** Creates the functions that read what a customer sees: accounts, phones, and payments with their approvals. */
export const createOverview = ({ countersign, payments, db }: Pick<Bank, 'countersign' | 'payments' | 'db'>) => {
  const shown = (payment: Payment) => {
    const { id, account_id, approval_id, recipient, cents, state, reason, ordered_at, booked_at } = payment
    const facts = { id, account: account_id, approvalId: approval_id, recipient, cents: Number(cents), state, reason }
    return { ...facts, needs: needOf(payment), orderedAt: ordered_at, bookedAt: booked_at }
  }

  type Listed = Awaited<ReturnType<typeof payments.ofCustomer>>[number]

  /** Returns a payment with how far its approval is, and whether this customer is asked. */
  const withApproval = async (payment: Listed, { customerId, userId }: Login) => {
    const isOwn = payment.customer_id === customerId
    const facts = { ...shown(payment), isOwn, orderedBy: payment.ordered_by }
    if (payment.state !== 'waiting') return facts
    const { status, by } = await payments.approvalOf(payment)
    const mayVote = !isOwn && payment.may_approve && by.every(({ id }) => id !== userId)
    const isAsked = status === 'pending' && (facts.needs === 'phone' ? isOwn : mayVote)
    return { ...facts, isAsked, isApproved: status === 'approved', by: by.map(({ name }) => name) }
  }

  return {
    /** Returns a payment as the page shows it. */
    shown,

    readAccounts: async ({ customerId, name, userId }: Login) => {
      const accounts = await db
        .selectFrom('accounts')
        .innerJoin('members', 'members.account_id', 'accounts.id')
        .where('customer_id', '=', customerId)
        .select(['id', 'name', 'cents'])
        .orderBy('id')
        .execute()
      const phones = await countersign.devices.list({ caller: { userId } })
      return {
        name,
        limits,
        accounts: accounts.map((account) => ({ ...account, cents: Number(account.cents) })),
        phones: phones.map(({ deviceName, createdAt, trusted }) => ({
          name: deviceName,
          registeredAt: new Date(createdAt),
          trusted,
        })),
      }
    },

    readPayments: async (login: Login) =>
      Promise.all((await payments.ofCustomer(login.customerId)).map((payment) => withApproval(payment, login))),
  }
}
