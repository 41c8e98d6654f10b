import { isDeepStrictEqual } from 'node:util'
import { type Instant, seconds } from '../../shared/clock.ts'
import type { Opening } from '../../shared/crypto/field-encryption.ts'
import { errorOf } from '../../shared/errors.ts'
import type { ActionPolicy } from '../records/action-policy.ts'
import { type ApprovalRequest, type RequestTerms, requestPayload, requestTerms } from '../records/approval-request.ts'
import { asksForMore } from './match-groups.ts'
import { findPolicy, type PolicyDeps } from './policy-of.ts'
import { selectBand } from './select-band.ts'

/** The current policy asks for more than the policy that the approvers of a request signed. */
export class PolicyChanged extends errorOf('policy_changed') {}

/** A request with its terms and its payload, decrypted. */
export interface OpenRequest {
  readonly request: ApprovalRequest
  readonly terms: RequestTerms
  readonly payload: unknown
}

/** Decrypts the terms and the payload of a request. @throws FieldNotOpened, DataErased */
export const openRequest = (deps: Opening, request: ApprovalRequest): OpenRequest => ({
  request,
  terms: requestTerms.open(deps, request.id, request.terms),
  payload: requestPayload.open(deps, request.id, request.payload).value,
})

/** Returns whether the current policy ends a request: it is gone, stricter or shorter, or cannot check the payload. */
export const isEndedBy = async (
  policy: ActionPolicy | undefined,
  { request, terms, payload }: OpenRequest,
  now: Instant,
): Promise<boolean> => {
  if (policy === undefined) return true
  const at = isDeepStrictEqual(policy, terms.policy) ? terms.band : await selectBand(policy, payload)
  const band = at === undefined ? undefined : policy.bands[at]
  if (band === undefined || asksForMore(band, signedBand(terms))) return true
  return band.expiresIn !== undefined && now >= request.createdAt + seconds(band.expiresIn)
}

export const isEnded = async (deps: PolicyDeps, open: OpenRequest, now: Instant): Promise<boolean> =>
  isEndedBy(await findPolicy(deps, open.request.actionType, open.terms.tenant), open, now)

/** Returns the band that the approvers of a request signed. */
export const signedBand = ({ policy, band }: RequestTerms): RequestTerms['policy']['bands'][number] => {
  const signed = policy.bands[band]
  if (signed === undefined) throw new TypeError('a request has the band that applied')
  return signed
}
