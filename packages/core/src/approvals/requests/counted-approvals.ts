import { isTrusted } from '../../identity/records/trust.ts'
import type { User } from '../../identity/records/user.ts'
import type { Instant } from '../../shared/clock.ts'
import type { ApprovalDeps } from '../deps.ts'
import { inGroups } from '../policies/match-groups.ts'
import { signedBand } from '../policies/require-unchanged.ts'
import type { ApprovalRequest, RequestTerms } from '../records/approval-request.ts'
import type { Confirmation, Evidence } from '../records/confirmation.ts'
import { countsFor, isApprover, keysOfUser } from './find-approvers.ts'

/** An approval that counts, with its approver as just read. */
export interface CountedApproval {
  readonly confirmation: Confirmation & { readonly deviceId: string; readonly evidence: Evidence }
  readonly approver: User
}

const isUnusedApproval = (confirmation: Confirmation): confirmation is CountedApproval['confirmation'] =>
  confirmation.status === 'approved' &&
  confirmation.consumedAt === null &&
  confirmation.voidedAt === null &&
  confirmation.deviceId !== null &&
  confirmation.evidence !== null

/** Orders approvals by their time. */
export const earliestApproval = (one: Confirmation, other: Confirmation): number =>
  (one.evidence?.approvedAt ?? 0) - (other.evidence?.approvedAt ?? 0) || (one.id < other.id ? -1 : 1)

/**
 * Returns the approvals of a request that can count at `now`, the earliest first. An approval can count while its approver holds the
 * permission of a group and may log in, and while the device that approved is active and trusted. Each key counts once. The
 * requester and the requester's own keys never count.
 */
export const countedApprovals = async (
  { storage, users }: Pick<ApprovalDeps, 'storage' | 'users'>,
  request: ApprovalRequest,
  terms: RequestTerms,
  now: Instant,
): Promise<readonly CountedApproval[]> => {
  const approved = (await storage.approvalRequests.confirmationsOf(request.id)).filter(isUnusedApproval).sort(earliestApproval)
  const band = signedBand(terms)
  const counted: CountedApproval[] = []
  const keys = new Set(await keysOfUser({ storage }, request.requestedBy))
  for (const confirmation of approved) {
    if (confirmation.userId === request.requestedBy || keys.has(confirmation.evidence.publicKey)) continue
    const approver = await users.byId(confirmation.userId)
    if (!isApprover(approver, band, terms.scope)) continue
    const device = await storage.devices.ofUser(confirmation.userId, confirmation.deviceId)
    if (device === undefined || !isTrusted(device, now)) continue
    keys.add(confirmation.evidence.publicKey)
    counted.push({ confirmation, approver })
  }
  return counted
}

/** Returns those approvals that count in the groups of the signed policy, at most as many as it needs. */
export const approvalsInGroups = (approvals: readonly CountedApproval[], terms: RequestTerms): readonly CountedApproval[] =>
  inGroups(approvals, signedBand(terms), ({ approver }, permission) => countsFor(approver, permission, terms.scope))
