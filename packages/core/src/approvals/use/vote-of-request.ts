import type { Instant } from '../../shared/clock.ts'
import { type Signer, type Signing, signerOf } from '../confirmations/signatures/signers.ts'
import type { ApprovalDeps, ApprovalReading } from '../deps.ts'
import { admitsSigner } from '../policies/admits-signer.ts'
import { signedBand } from '../policies/require-unchanged.ts'
import { requestTerms } from '../records/approval-request.ts'
import type { Confirmation, Evidence } from '../records/confirmation.ts'
import { PasskeyNotAdmitted } from '../requests/errors.ts'
import { searchOf } from '../requests/find-approvers.ts'
import { voterOf } from '../requests/voters.ts'

/** The things that a rejection ends besides the confirmation, while the device or passkey that rejects is trusted. */
export type EndedToo =
  | { readonly kind: 'request'; readonly id: string; readonly signer: Signer }
  /** The session that asked; `null` if no session did. */
  | { readonly kind: 'session'; readonly id: string | null; readonly signer: Signer }

/**
 * Returns what the rejection of a confirmation ends too: the whole request, by a trusted signer whose vote would count; otherwise
 * only the own vote, so a stolen password cannot stop the others. @param disowner The signer that also disowns the session which
 * asked.
 */
export const endedToo = async (
  deps: Pick<ApprovalDeps, 'storage' | 'users' | 'encryptionKeys' | 'options'>,
  { approvalId, delegatedBy, requestedBy }: Pick<Confirmation, 'approvalId' | 'delegatedBy' | 'requestedBy'>,
  caller: Signing,
  disowner: Signer | undefined,
  now: Instant,
): Promise<EndedToo | undefined> => {
  if (approvalId === null) return disowner && { kind: 'session', id: requestedBy, signer: disowner }
  const request = await deps.storage.approvalRequests.byId(approvalId)
  const signer = signerOf(deps, caller)
  if (request === undefined || signer === undefined) return undefined
  const terms = requestTerms.open(deps, request.id, request.terms)
  const search = await searchOf(deps, terms, request.requestedBy, now)
  const voter = await voterOf(deps, await deps.users.byId(caller.userId), search, delegatedBy)
  return voter && { kind: 'request', id: approvalId, signer }
}

/** Checks that the policy of the request takes this signer. @throws PasskeyNotAdmitted */
export const requireAdmitted = async (
  deps: ApprovalReading,
  { approvalId }: Pick<Confirmation, 'approvalId'>,
  evidence: Pick<Evidence, 'assertion'>,
): Promise<void> => {
  if (approvalId === null || evidence.assertion === null) return
  const request = await deps.storage.approvalRequests.byId(approvalId)
  const isAdmitted =
    request !== undefined && admitsSigner(signedBand(requestTerms.open(deps, request.id, request.terms)), evidence)
  if (!isAdmitted) throw new PasskeyNotAdmitted()
}
