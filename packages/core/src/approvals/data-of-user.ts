import type { SettledConfirmation } from '../identity/user-model/account-endings.ts'
import type { Instant } from '../shared/clock.ts'
import type { SeenClient } from '../shared/from-client.ts'
import { type ConfirmationView, viewsOf } from './confirmations/read-confirmation.ts'
import { confirmationFields } from './confirmations/sealed-fields.ts'
import type { ApprovalReading } from './deps.ts'
import type { ActionPolicy } from './records/action-policy.ts'
import { type ApprovalRequest, requestPayload, requestTerms } from './records/approval-request.ts'
import type { Confirmation } from './records/confirmation.ts'
import type { ApprovalStores } from './stores.ts'

/** A confirmation in the export of a user. */
export interface ExportedConfirmation
  extends Omit<ConfirmationView, 'actionPayloadText' | 'statementText' | 'userId' | 'requestedFrom'>,
    Pick<Confirmation, 'deviceId' | 'passkeyId' | 'evidence' | 'consumedAt' | 'consumedBy' | 'voidedAt'> {
  readonly actionPayload: unknown
  /** The statement that the device signs. */
  readonly statement: unknown
  /** The client that asked; `null` for a confirmation of an approval request, whose client belongs to another person. */
  readonly requestedFrom: SeenClient | null
}

/** An approval request in the export of its requester. */
export interface ExportedRequest extends Omit<ApprovalRequest, 'payload' | 'display' | 'terms' | 'redeemedKey' | 'requestedIn'> {
  readonly policy: ActionPolicy
  readonly actionPayload: unknown
  /** The client of the requester; `null` if none was recorded. */
  readonly requestedFrom: SeenClient | null
}

const isIn = (tenant: string | undefined) => (one: { readonly tenant: string | null }) =>
  tenant === undefined || one.tenant === tenant

/** Returns the confirmations of a user, oldest first, decrypted; a vote without the requester's client. @throws FieldNotOpened */
export const exportConfirmations = async (
  deps: ApprovalReading,
  userId: number,
  tenant?: string,
): Promise<readonly ExportedConfirmation[]> => {
  const confirmations = (await deps.storage.confirmations.allOfUser(userId)).filter(isIn(tenant))
  const views = await viewsOf(deps, confirmations, deps.clock.now())
  return views.map(({ actionPayloadText, statementText, userId: _, ...view }, at) => {
    const confirmation = confirmations[at] as Confirmation
    const { deviceId, passkeyId, evidence, consumedAt, consumedBy, voidedAt } = confirmation
    const requestedFrom = confirmation.approvalId === null ? view.requestedFrom : null
    const actionPayload: unknown = JSON.parse(actionPayloadText)
    const statement: unknown = JSON.parse(statementText)
    const signer = { deviceId, passkeyId, evidence }
    return { ...view, statement, requestedFrom, actionPayload, ...signer, consumedAt, consumedBy, voidedAt }
  })
}

/** Returns the client of the requester, which every confirmation of the request has. */
const clientOf = async (deps: ApprovalReading, { id }: Pick<ApprovalRequest, 'id'>): Promise<SeenClient | null> => {
  const [confirmation] = await deps.storage.approvalRequests.confirmationsOf(id)
  return confirmation?.requestedFrom == null
    ? null
    : confirmationFields.requestedFrom.open(deps, confirmation.id, confirmation.requestedFrom)
}

/** Returns the approval requests that a user started, oldest first, or those in a tenant, decrypted. @throws FieldNotOpened */
export const exportRequests = async (
  deps: ApprovalReading,
  userId: number,
  tenant?: string,
): Promise<readonly ExportedRequest[]> => {
  const requests = (await deps.storage.approvalRequests.allOfRequester(userId)).filter(isIn(tenant))
  const exported: ExportedRequest[] = []
  for (const request of requests) {
    const { payload: _, redeemedKey: __, requestedIn: ___, display: ____, terms, ...shown } = request
    const { value: actionPayload } = requestPayload.open(deps, request.id, request.payload)
    exported.push({
      ...shown,
      policy: requestTerms.open(deps, request.id, terms).policy,
      actionPayload,
      requestedFrom: await clientOf(deps, request),
    })
  }
  return exported
}

/** Ends and erases the approvals of a user. Earlier receipts still verify. Returns the rejected confirmations. */
export const eraseApprovals = async (
  tx: ApprovalStores,
  userId: number,
  now: Instant,
): Promise<readonly SettledConfirmation[]> => {
  const settled = await tx.approvals.endAllOfUser(userId, now, 'account')
  await tx.approvals.eraseAllOfUser(userId)
  return settled
}
