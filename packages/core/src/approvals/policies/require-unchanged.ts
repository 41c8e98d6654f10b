import { isDeepStrictEqual } from 'node:util'
import { type Instant, seconds } from '../../shared/clock.ts'
import { errorOf } from '../../shared/errors.ts'
import type { ActionPolicy } from '../records/action-policy.ts'
import type { ApprovalRequest, RequestTerms } from '../records/approval-request.ts'
import { asksForMore } from './match-groups.ts'
import { NoApprovalPolicy, type PolicyDeps, policyOf } from './policy-of.ts'
import { selectBand } from './select-band.ts'

/** The current policy asks for more than the policy that the approvers of a request signed. */
export class PolicyChanged extends errorOf('policy_changed') {}

/** An open request with its terms and its payload. */
export interface OpenRequest {
  readonly request: Pick<ApprovalRequest, 'actionType' | 'createdAt'>
  readonly terms: RequestTerms
  readonly payload: unknown
}

/** Returns the policy that a request of this type would get now; `undefined` without one. With `hold`, see `policyOf`. */
export const policyOfMoment = async (
  deps: PolicyDeps,
  {
    request,
    terms,
  }: {
    readonly request: Pick<ApprovalRequest, 'actionType'>
    readonly terms: Pick<RequestTerms, 'tenant'>
  },
  hold?: 'hold',
): Promise<ActionPolicy | undefined> => {
  try {
    return await policyOf(deps, request.actionType, terms.tenant, hold)
  } catch (error) {
    if (error instanceof NoApprovalPolicy) return undefined
    throw error
  }
}

/**
 * Returns whether the current policy ends a request: it asks for anything that the signed policy does not, allows less time, cannot
 * check the payload, or was removed. A policy that asks for less changes nothing, because the signed policy must be met too.
 */
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

/** Returns the band that the approvers of a request signed. */
export const signedBand = ({ policy, band }: RequestTerms): RequestTerms['policy']['bands'][number] => {
  const signed = policy.bands[band]
  if (signed === undefined) throw new TypeError('a request has the band that applied')
  return signed
}
