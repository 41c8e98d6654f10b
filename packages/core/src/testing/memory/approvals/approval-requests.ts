import { type Confirmation, statusAt } from '../../../approvals/confirmations/confirmation.ts'
import type { ApprovalRequest } from '../../../approvals/requests/approval-request.ts'
import type { ApprovalRequestStore } from '../../../approvals/requests/store.ts'
import { mayLogIn } from '../../../identity/users/user.ts'
import type { Instant } from '../../../shared/clock.ts'
import { erasedField } from '../../../shared/crypto/field-encryption.ts'
import { isEndedByOthers, isLiveSession } from '../identity/sessions.ts'
import { byCodePoints, type DeviceRow, insert, type Run, type Tables } from '../tables.ts'

const isOpen = ({ status, expiresAt }: ApprovalRequest, now: Instant): boolean => status === 'pending' && now < expiresAt

const openOf = ({ approvalRequests }: Tables, requestedBy: number, now: Instant): number =>
  [...approvalRequests.values()].filter((request) => request.requestedBy === requestedBy && isOpen(request, now)).length

const hasOpenAccount = ({ users }: Tables, userId: number): boolean => {
  const user = users.get(userId)
  return user !== undefined && mayLogIn(user)
}

const confirmationsOf = ({ confirmations }: Tables, approvalId: string): Confirmation[] =>
  [...confirmations.values()].filter((confirmation) => confirmation.approvalId === approvalId)

const closePending = (tables: Tables, approvalId: string, now: Instant): void => {
  for (const confirmation of confirmationsOf(tables, approvalId)) {
    if (confirmation.status !== 'pending') continue
    tables.confirmations.set(confirmation.id, { ...confirmation, status: 'rejected', updatedAt: now })
  }
}

const isUnusedApproval = ({ status, consumedAt, voidedAt }: Confirmation): boolean =>
  status === 'approved' && consumedAt === null && voidedAt === null

/** Returns whether each approval has a key of its own, which no device of the requester has. */
const haveOwnKeys = ({ devices }: Tables, { requestedBy }: ApprovalRequest, approvals: readonly Confirmation[]): boolean => {
  const keys = new Set(approvals.map(({ evidence }) => evidence?.publicKey))
  const isRequesters = ({ device }: DeviceRow) => device.userId === requestedBy && keys.has(device.publicKey)
  return (
    new Set(approvals.map(({ evidence }) => evidence?.keyThumbprint)).size === approvals.length &&
    ![...devices.values()].some(isRequesters)
  )
}

export const memoryApprovalRequests = (run: Run): ApprovalRequestStore => ({
  open: (request, confirmations, openLimit) =>
    run((tables) => {
      const { requestedBy, requestedIn } = request
      if (!hasOpenAccount(tables, requestedBy)) return false
      if (requestedIn !== null && !isLiveSession(tables, requestedIn, requestedBy)) return false
      if (openOf(tables, requestedBy, request.createdAt) >= openLimit) return false
      if (request.count < 1) throw new Error('a request needs at least one approval')
      if (new Set(confirmations.map(({ userId }) => userId)).size < confirmations.length)
        throw new Error('one user was asked twice')
      insert(tables.approvalRequests, request.id, request)
      for (const confirmation of confirmations) {
        if (hasOpenAccount(tables, confirmation.userId)) insert(tables.confirmations, confirmation.id, confirmation)
      }
      return true
    }),
  byId: (id) => run(({ approvalRequests }) => approvalRequests.get(id)),
  openOf: (requestedBy, now) => run((tables) => openOf(tables, requestedBy, now)),
  confirmationsOf: (id) => run((tables) => confirmationsOf(tables, id)),
  redeem: ({ id, confirmationIds, redeemedBy, redeemedKey, receipts, now }) =>
    run((tables) => {
      const request = tables.approvalRequests.get(id)
      const ids = new Set(confirmationIds)
      if (request === undefined || !isOpen(request, now)) return false
      if (ids.size !== request.count || ids.size !== confirmationIds.length) return false
      const approved = confirmationsOf(tables, id).filter(
        (each) => ids.has(each.id) && isUnusedApproval(each) && each.userId !== request.requestedBy,
      )
      if (approved.length !== request.count || !haveOwnKeys(tables, request, approved)) return false
      tables.approvalRequests.set(id, { ...request, status: 'redeemed', redeemedAt: now, redeemedBy, redeemedKey })
      for (const each of approved) {
        const consumedReceipt = receipts.get(each.id) ?? null
        const use = { consumedAt: now, consumedBy: redeemedBy, consumedKey: redeemedKey, consumedReceipt }
        tables.confirmations.set(each.id, { ...each, ...use })
      }
      closePending(tables, id, now)
      return true
    }),
  reject: ({ approvalId, id, userId, rejectReason, now }) =>
    run((tables) => {
      const request = tables.approvalRequests.get(approvalId)
      const own = tables.confirmations.get(id)
      if (request === undefined || !isOpen(request, now)) return false
      if (own?.userId !== userId || own.approvalId !== approvalId || statusAt(own, now) !== 'pending') return false
      tables.confirmations.set(id, { ...own, status: 'rejected', rejectReason, updatedAt: now })
      tables.approvalRequests.set(approvalId, { ...request, status: 'rejected' })
      closePending(tables, approvalId, now)
      return true
    }),
  rejectAllOfRequester: (requestedBy, now, only) =>
    run((tables) => {
      const open = [...tables.approvalRequests.values()].filter(
        (request) =>
          request.requestedBy === requestedBy &&
          isOpen(request, now) &&
          (only === undefined || isEndedByOthers(tables, request.requestedIn)),
      )
      for (const request of open) {
        tables.approvalRequests.set(request.id, { ...request, status: 'rejected' })
        closePending(tables, request.id, now)
      }
      return open.length
    }),
  allOfRequester: (requestedBy) =>
    run(({ approvalRequests }) =>
      [...approvalRequests.values()]
        .filter((request) => request.requestedBy === requestedBy)
        .sort((a, b) => a.createdAt - b.createdAt || byCodePoints(a.id, b.id)),
    ),
  eraseAllOfRequester: (requestedBy) =>
    run((tables) => {
      for (const request of tables.approvalRequests.values()) {
        if (request.requestedBy !== requestedBy) continue
        tables.approvalRequests.set(request.id, { ...request, payload: erasedField })
        for (const confirmation of confirmationsOf(tables, request.id))
          tables.confirmations.set(confirmation.id, { ...confirmation, requestedFrom: null })
      }
    }),
})
