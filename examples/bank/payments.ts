import { randomInt } from 'node:crypto'
import { type Countersign, errors } from '@countersign/core'
import { fromKysely } from '@countersign/storage-postgres/clients'
import type { Kysely, Transaction } from 'kysely'
import type { Client, Login } from './logins.ts'
import { actionOf, gatedActionOf, needOf, PAY } from './payment-rules.ts'
import type { BankTables, Payment } from './tables.ts'

type Approvals = Pick<Countersign, 'createGate' | 'confirmations' | 'approvalRequests'>

/** A payment as a customer orders it. */
export interface Order {
  readonly account: string
  readonly recipient: string
  readonly cents: number
}

/** How far the approval of a payment is. */
export interface Approval {
  readonly status: string
  /** Those who have approved for two people. */
  readonly by: readonly { readonly id: number; readonly name: string | null }[]
}

/** The customer may order no payments from the account. */
export class NotMember extends Error {
  override readonly name = 'NotMember'
}

/** The account has not enough money. */
class NotCovered extends Error {
  override readonly name = 'NotCovered'
}

/** After these refusals, the approval of a payment can never be used. */
const final = [
  'other_action',
  'other_policy',
  'policy_changed',
  'confirmation_consumed',
  'confirmation_too_old',
  'approval_redeemed',
  'approval_expired',
]

/** Returns whether approvals are still missing. An approver who lost the right or the phone may get it back in time. */
const isMissing = (error: unknown): boolean =>
  error instanceof errors.CountersignError && ['confirmation_not_approved', 'approval_not_approved'].includes(error.code)

const finalReason = (error: unknown): string | undefined => {
  if (error instanceof NotCovered) return 'not_covered'
  return error instanceof errors.CountersignError && final.includes(error.code) ? error.code : undefined
}

/** Makes the id of a payment, which people read as its reference: `4817-2093-5561`. */
const newReference = (): string => Array.from({ length: 3 }, () => String(randomInt(10_000)).padStart(4, '0')).join('-')

/** Orders and books payments. */
export const openPayments = (db: Kysely<BankTables>, { createGate, confirmations, approvalRequests }: Approvals) => {
  const gate = createGate<Payment>({ name: PAY, actionType: 'payment_approval', build: gatedActionOf })

  /** Asks for the approval of a payment. Resolves with the id of the confirmation or of the approval request. */
  const ask = async (
    payment: Pick<Payment, 'id' | 'account_id' | 'recipient' | 'cents'>,
    { userId, sessionId }: Login,
    client: Client,
  ) => {
    const action = { ...actionOf(payment), ...client, operation: PAY, caller: { userId, sessionId } }
    const need = needOf(payment)
    if (need === 'nobody') return null
    return (need === 'phone' ? await confirmations.initiate(action) : await approvalRequests.start(action)).id
  }

  /** Uses the approval of a payment, and returns the receipts. */
  const useApproval = async (trx: Transaction<BankTables>, payment: Payment): Promise<readonly string[]> => {
    if (needOf(payment) === 'nobody') return []
    const approval = { confirmationId: payment.approval_id, requestId: payment.approval_id }
    const call = { caller: { userId: payment.user_id }, ...approval, action: payment }
    return (await gate(call, { client: fromKysely(trx) })).receipts
  }

  /**
   * Books a payment that waits: the approval is used, the money moves and the receipts are stored, all in one commit. Resolves with
   * whether this call has booked it.
   *
   * @throws CountersignError if the approval is missing or is not for this payment, NotCovered
   */
  const book = (id: string): Promise<boolean> =>
    db.transaction().execute(async (trx) => {
      const payment = await trx.selectFrom('payments').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
      if (payment?.state !== 'waiting') return false
      const receipts = await useApproval(trx, payment)
      const { numUpdatedRows } = await trx
        .updateTable('accounts')
        .set(({ eb }) => ({ cents: eb('cents', '-', payment.cents) }))
        .where('id', '=', payment.account_id)
        .where('cents', '>=', payment.cents)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) throw new NotCovered()
      await trx.updateTable('payments').set({ state: 'booked', booked_at: new Date() }).where('id', '=', id).execute()
      const rows = receipts.map((receipt, position) => ({ payment_id: id, position, receipt }))
      if (rows.length > 0) await trx.insertInto('receipts').values(rows).execute()
      return true
    })

  const refuse = (id: string, reason: string) =>
    db.updateTable('payments').set({ state: 'refused', reason }).where('id', '=', id).where('state', '=', 'waiting').execute()

  /** Returns the state of the approval of a payment, and who else has approved so far. */
  const approvalOf = async (payment: Payment): Promise<Approval> => {
    const caller = { userId: payment.user_id }
    if (payment.approval_id === null) return { status: 'approved', by: [] }
    if (needOf(payment) === 'phone')
      return { status: (await confirmations.status({ caller, confirmationId: payment.approval_id })).status, by: [] }
    const { status, votes } = await approvalRequests.read({ caller, approvalId: payment.approval_id })
    return { status, by: votes.filter(({ counts }) => counts) }
  }

  /** Books a payment that waits, if people have approved; refuses the payment if they no longer can. */
  const settle = async (payment: Payment): Promise<void> => {
    const { status } = await approvalOf(payment)
    if (status === 'rejected' || status === 'expired') await refuse(payment.id, status)
    if (status !== 'approved') return
    try {
      await book(payment.id)
    } catch (error) {
      if (isMissing(error)) return
      const reason = finalReason(error)
      if (reason === undefined) throw error
      await refuse(payment.id, reason)
    }
  }

  const requireMember = async (customerId: string, account: string): Promise<void> => {
    const own = db.selectFrom('members').select('account_id').where('customer_id', '=', customerId)
    if ((await own.where('account_id', '=', account).executeTakeFirst()) === undefined) throw new NotMember()
  }

  return {
    book,
    approvalOf,

    /** Orders a payment of a member. A payment that needs no approval is booked at once. @throws NotMember, CountersignError */
    order: async ({ account, recipient, cents }: Order, login: Login, client: Client): Promise<Payment> => {
      await requireMember(login.customerId, account)
      const payment = { id: newReference(), account_id: account, recipient, cents: BigInt(cents) }
      // Requested first: after a crash before the next line, the request expires, and no payment lacks its request.
      const approval_id = await ask(payment, login, client)
      const customer = { customer_id: login.customerId, user_id: login.userId }
      const row = { ...payment, ...customer, approval_id }
      const ordered = await db.insertInto('payments').values(row).returningAll().executeTakeFirstOrThrow()
      if (approval_id !== null) return ordered
      await settle(ordered)
      return db.selectFrom('payments').selectAll().where('id', '=', payment.id).executeTakeFirstOrThrow()
    },

    /** The newest payments from the accounts of a customer. */
    ofCustomer: (customerId: string) =>
      db
        .selectFrom('payments')
        .innerJoin('members', 'members.account_id', 'payments.account_id')
        .innerJoin('customers', 'customers.id', 'payments.customer_id')
        .where('members.customer_id', '=', customerId)
        .selectAll('payments')
        .select(['members.may_approve', 'customers.name as ordered_by'])
        .orderBy('ordered_at', 'desc')
        .limit(20)
        .execute(),

    /** Books every approved payment, also of an earlier process. A payment that fails now is tried again at the next call. */
    bookApproved: async (onFailure: (payment: Payment, error: unknown) => void): Promise<void> => {
      const waiting = await db.selectFrom('payments').selectAll().where('state', '=', 'waiting').orderBy('ordered_at').execute()
      for (const payment of waiting) await settle(payment).catch((error: unknown) => onFailure(payment, error))
    },
  }
}
