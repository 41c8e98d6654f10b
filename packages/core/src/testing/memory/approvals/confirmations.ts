import { type Confirmation, type Evidence, statusAt } from '../../../approvals/confirmations/confirmation.ts'
import type { ConfirmationStore, Consumption, FinishedQuery } from '../../../approvals/confirmations/store.ts'
import { isTrusted } from '../../../identity/trust/trust.ts'
import { mayLogIn } from '../../../identity/users/user.ts'
import type { Instant } from '../../../shared/clock.ts'
import { erasedField } from '../../../shared/crypto/field-encryption.ts'
import { changeActive, usedAt } from '../identity/devices.ts'
import { keyOf } from '../identity/passkeys.ts'
import { isEndedByOthers, isLiveSession } from '../identity/sessions.ts'
import { deleteWhere, insert, newestFirst, pageOf, type Run, replaceWhere, type Tables } from '../tables.ts'
import { isFinished } from './finished.ts'

const isPendingAt = (now: Instant) => (confirmation: Confirmation) => statusAt(confirmation, now) === 'pending'

const pendingOf = ({ confirmations }: Tables, userId: number, now: Instant): Confirmation[] =>
  [...confirmations.values()].filter((confirmation) => confirmation.userId === userId && isPendingAt(now)(confirmation))

interface WrongAttempt {
  readonly userId: number
  readonly id: string
  readonly limit: number
  readonly now: Instant
}

const countWrong = (
  { confirmations }: Tables,
  counter: 'wrongSignatures' | 'wrongMatchNumbers',
  { userId, id, limit, now }: WrongAttempt,
): void => {
  replaceWhere(
    confirmations,
    id,
    (confirmation) => confirmation.userId === userId && isPendingAt(now)(confirmation),
    (confirmation) => {
      const counted = { ...confirmation, [counter]: confirmation[counter] + 1 }
      return counted[counter] < limit ? counted : { ...counted, status: 'rejected' as const, updatedAt: now }
    },
  )
}

const isVouching = ({ vouchings }: Tables, id: string): boolean =>
  [...vouchings.values()].some(({ confirmationId }) => confirmationId === id)

const vouchesForRemoved = ({ vouchings, devices, passkeys }: Tables, id: string): boolean =>
  [...vouchings.values()].some(
    ({ confirmationId, userId, subjectId }) =>
      confirmationId === id && devices.get(subjectId)?.removedAt !== null && !passkeys.has(keyOf({ userId, id: subjectId })),
  )

const isUnused = ({ status, consumedAt, voidedAt }: Confirmation): boolean =>
  status === 'approved' && consumedAt === null && voidedAt === null

const mayConsume = (tables: Tables, confirmation: Confirmation, { userId, approvedSince, now }: Consumption): boolean => {
  const user = tables.users.get(userId)
  const row = tables.devices.get(confirmation.deviceId ?? '')
  return (
    confirmation.userId === userId &&
    isUnused(confirmation) &&
    confirmation.approvalId === null &&
    (confirmation.evidence?.approvedAt ?? Number.NEGATIVE_INFINITY) >= approvedSince &&
    !isVouching(tables, confirmation.id) &&
    user !== undefined &&
    mayLogIn(user) &&
    row?.removedAt === null &&
    row.device.userId === userId &&
    isTrusted(row.device, now)
  )
}

/** Returns whether the key has approved the request before, or is the key of a device of the requester. */
const hasKey = (tables: Tables, approvalId: string, { keyThumbprint, publicKey }: Evidence): boolean => {
  const requester = tables.approvalRequests.get(approvalId)?.requestedBy
  const approvals = [...tables.confirmations.values()].filter((each) => each.approvalId === approvalId && isUnused(each))
  return (
    approvals.some(({ evidence }) => evidence?.keyThumbprint === keyThumbprint) ||
    [...tables.devices.values()].some(({ device }) => device.userId === requester && device.publicKey === publicKey)
  )
}

const allOf = ({ confirmations }: Tables, userId: number): Confirmation[] =>
  [...confirmations.values()].filter((confirmation) => confirmation.userId === userId)

const finishedOf = (tables: Tables, { before, now }: FinishedQuery): Confirmation[] =>
  [...tables.confirmations.values()].filter(
    (confirmation) => confirmation.createdAt < before && isFinished(tables, confirmation, now),
  )

type Place = Pick<Confirmation, 'createdAt' | 'id'>

const oldestFirst = (one: Place, other: Place): number => newestFirst(other, one)

const erased = {
  payload: erasedField,
  nonce: erasedField,
  statementMembers: null,
  requestedFrom: null,
  matchNumber: null,
  rejectReason: null,
  consumedReceipt: null,
} satisfies Partial<Confirmation>

export const memoryConfirmations = (run: Run): ConfirmationStore => ({
  initiate: (confirmation, pendingLimit) =>
    run((tables) => {
      const { userId, requestedBy } = confirmation
      const user = tables.users.get(userId)
      if (user === undefined || !mayLogIn(user)) return false
      if (requestedBy !== null && !isLiveSession(tables, requestedBy, userId)) return false
      const counted = pendingOf(tables, userId, confirmation.createdAt).filter(
        (pending) =>
          pending.initiatedBy === confirmation.initiatedBy && pending.approvalId === null && !isVouching(tables, pending.id),
      )
      if (counted.length >= pendingLimit) return false
      insert(tables.confirmations, confirmation.id, confirmation)
      return true
    }),
  ofUser: (userId, id) =>
    run(({ confirmations }) => {
      const confirmation = confirmations.get(id)
      return confirmation?.userId === userId ? confirmation : undefined
    }),
  ofService: (service, id) =>
    run((tables) => {
      const confirmation = tables.confirmations.get(id)
      if (confirmation === undefined || confirmation.approvalId !== null || isVouching(tables, id)) return undefined
      return confirmation.initiatedBy === null || confirmation.initiatedBy === service ? confirmation : undefined
    }),
  byId: (id) => run(({ confirmations }) => confirmations.get(id)),
  pendingOfUser: (userId, now, requestLimit) =>
    run((tables) => {
      const pending = pendingOf(tables, userId, now).sort(newestFirst)
      const ofRequests = new Set(pending.filter(({ approvalId }) => approvalId !== null).slice(0, requestLimit))
      return pending.filter((confirmation) => confirmation.approvalId === null || ofRequests.has(confirmation))
    }),
  approve: ({ id, userId, deviceId, sessionId, evidence, now }) =>
    run((tables) => {
      const isActive = changeActive(tables, userId, deviceId, usedAt(now))
      const device = tables.devices.get(deviceId)?.device
      if (!isLiveSession(tables, sessionId, userId)) return 'session_ended'
      if (!isActive || device === undefined) return 'device_removed'
      if (!isTrusted(device, now)) return 'not_trusted'
      const own = tables.confirmations.get(id)
      if (own?.userId !== userId || !isPendingAt(now)(own)) return 'not_pending'
      if (own.approvalId !== null && hasKey(tables, own.approvalId, evidence)) return 'same_key'
      tables.confirmations.set(id, structuredClone({ ...own, status: 'approved', deviceId, evidence, updatedAt: now }))
      return 'approved'
    }),
  settle: ({ id, userId, outcome, deviceId, rejectReason, now }) =>
    run(({ confirmations }) => {
      const settled = replaceWhere(
        confirmations,
        id,
        (confirmation) => confirmation.userId === userId && isPendingAt(now)(confirmation),
        (confirmation) => ({ ...confirmation, status: outcome, deviceId, rejectReason, updatedAt: now }),
      )
      return settled !== undefined
    }),
  rejectAllOfUser: (userId, now, only) =>
    run((tables) => {
      const pending = pendingOf(tables, userId, now).filter(
        ({ id, requestedBy }) => only === undefined || isEndedByOthers(tables, requestedBy) || vouchesForRemoved(tables, id),
      )
      for (const confirmation of pending) {
        tables.confirmations.set(confirmation.id, { ...confirmation, status: 'rejected', updatedAt: now })
      }
      return pending.length
    }),
  consume: (consumption) =>
    run((tables) => {
      const { id, consumedBy, consumedKey, receipt, now } = consumption
      const consumed = replaceWhere(
        tables.confirmations,
        id,
        (confirmation) => mayConsume(tables, confirmation, consumption),
        (confirmation) => ({ ...confirmation, consumedAt: now, consumedBy, consumedKey, consumedReceipt: receipt }),
      )
      return consumed !== undefined
    }),
  voidAllOfUser: (userId, now) =>
    run(({ confirmations }) => {
      const unused = [...confirmations.values()].filter(
        (confirmation) => confirmation.userId === userId && isUnused(confirmation),
      )
      for (const confirmation of unused) confirmations.set(confirmation.id, { ...confirmation, voidedAt: now })
      return unused.length
    }),
  page: ({ status, actionType, now, ...page }) =>
    run(({ confirmations }) => {
      const isListed = (one: Confirmation) =>
        (status === undefined || statusAt(one, now) === status) && (actionType === undefined || one.actionType === actionType)
      return pageOf([...confirmations.values()].filter(isListed), page)
    }),
  allOfUser: (userId) => run((tables) => allOf(tables, userId).sort(newestFirst).reverse()),
  eraseAllOfUser: (userId) =>
    run((tables) => {
      const all = allOf(tables, userId)
      for (const confirmation of all) tables.confirmations.set(confirmation.id, { ...confirmation, ...erased })
      return all.length
    }),
  finished: ({ after, limit, ...query }) =>
    run((tables) =>
      finishedOf(tables, query)
        .sort(oldestFirst)
        .filter((confirmation) => after === undefined || (confirmation.id !== after.id && oldestFirst(after, confirmation) < 0))
        .slice(0, limit),
    ),
  countFinished: (query) => run((tables) => finishedOf(tables, query).length),
  deleteFinished: (ids, query) =>
    run((tables) => {
      const finished = new Set(finishedOf(tables, query).map(({ id }) => id))
      return deleteWhere(tables.confirmations, ({ id }) => ids.includes(id) && finished.has(id))
    }),
  countWrongMatchNumber: (userId, id, limit, now) =>
    run((tables) => countWrong(tables, 'wrongMatchNumbers', { userId, id, limit, now })),
  countWrongSignature: (userId, id, limit, now) =>
    run((tables) => countWrong(tables, 'wrongSignatures', { userId, id, limit, now })),
})
