import canonicalize from 'canonicalize'
import { Invalid, NothingToChange } from '../../shared/errors.ts'
import { loadSchemaEngine } from '../../shared/json-schema/load-engine.ts'
import { SchemaRefused } from '../../shared/json-schema/schema-refused.ts'
import type { ApprovalDeps } from '../deps.ts'
import {
  type ActionPolicy,
  bandsOf,
  type GivenPolicy,
  type PolicyBand,
  type PolicyGroup,
  type PolicyInBands,
  withoutLabels,
} from '../records/action-policy.ts'
import { weakBands } from '../records/weak-bands.ts'
import { policyOf } from './policy-of.ts'
import { type PolicyWarnings, policyWarnings } from './policy-warnings.ts'
import { compileWhen } from './select-band.ts'

/** Names the policy of an action type, in a tenant or in none. */
export interface PolicyPlace {
  readonly actionType: string
  readonly tenant?: string | null | undefined
}

export type SetPolicy = PolicyPlace & GivenPolicy

/**
 * Stores the policy of an action type. Open requests keep their policy, and end if the new one asks for more. A change of labels
 * alone keeps the version. Returns the policy, warnings, and whether it differs from the one before.
 * @throws Invalid naming each wrong member
 * @example await countersign.actionPolicies.set({ actionType: 'wire_transfer', permission: 'payment.approve', count: 2 })
 */
export async function setPolicy(
  { storage, logger }: ApprovalDeps,
  { actionType, tenant = null, ...given }: SetPolicy,
): Promise<ActionPolicy & PolicyWarnings & { readonly changed: boolean }> {
  const bands = await checkedBands(given)
  const warnings = await policyWarnings({ storage }, { actionType, tenant, version: 0, bands })
  const before = await storage.actionPolicies.of(actionType, tenant)
  if (before?.tenant === tenant && canonicalize(before.bands) === canonicalize(bands))
    return { ...before, ...warnings, changed: false }
  const isRelabelled =
    before?.tenant === tenant && canonicalize(withoutLabels(before.bands)) === canonicalize(withoutLabels(bands))
  const version = await storage.actionPolicies.put({ actionType, tenant, bands }, isRelabelled ? before.bands : undefined)
  logger.info('action_policy_set', { actionType, tenant, version, groups: JSON.stringify(bands.map(({ groups }) => groups)) })
  return { actionType, tenant, version, bands, ...warnings, changed: true }
}

const butAllowed = 'or allow a weaker policy (allowWeaker, --allow-weaker)'

/** @throws Invalid for bands that make the policy weaker than its author may expect */
const requireStrict = (bands: readonly PolicyBand[]): void => {
  const { bandsAboveLast, bandsForEverything } = weakBands(bands)
  const fields = Object.fromEntries(
    bandsForEverything.map((at) => [`bands[${at}].when`, `must refuse some payloads, ${butAllowed}`]),
  )
  if (bandsAboveLast.length > 0) {
    fields[`bands[${bands.length - 1}].groups`] =
      `must ask for as many approvals as each earlier band, because all other payloads fall into the last band; ${butAllowed}`
  }
  if (Object.keys(fields).length > 0) throw new Invalid(fields)
}

/** Returns the bands of a given policy, after compiling each `when`. @throws Invalid */
export const checkedBands = async (given: Partial<GivenPolicy>): Promise<readonly PolicyBand[]> => {
  const { bands, permission, count, label, allowWeaker } = given as Partial<PolicyGroup & PolicyInBands>
  const isGroup = permission !== undefined && count !== undefined
  if ((bands === undefined) !== isGroup || (bands !== undefined && (permission ?? count ?? label) !== undefined)) {
    const half = permission === undefined ? 'permission' : 'count'
    const missing = bands === undefined && (permission ?? count) !== undefined ? half : 'bands'
    throw new Invalid({ [missing]: 'must be given: bands, or permission and count, and not both' })
  }
  const checked = bandsOf(given as GivenPolicy)
  if (checked.length === 1) return checked
  const engine = await loadSchemaEngine()
  for (const [at, { when }] of checked.entries()) {
    try {
      if (when !== undefined) compileWhen(engine, when)
    } catch (error) {
      if (error instanceof SchemaRefused) throw new Invalid({ [`bands[${at}].when`]: error.message }, { cause: error })
      throw error
    }
  }
  if (allowWeaker !== true) requireStrict(checked)
  return checked
}

/**
 * Returns the policy of an action type, as a new request would get it. @throws NoApprovalPolicy
 * @example const policy = await countersign.actionPolicies.show({ actionType: 'wire_transfer' })
 */
export function showPolicy(deps: ApprovalDeps, { actionType, tenant = null }: PolicyPlace): Promise<ActionPolicy> {
  return policyOf(deps, actionType, tenant)
}

/**
 * Removes the stored policy of an action type, which ends its open requests. @throws NothingToChange if none is stored
 * @example await countersign.actionPolicies.remove({ actionType: 'wire_transfer' })
 */
export async function removePolicy({ storage, logger }: ApprovalDeps, { actionType, tenant = null }: PolicyPlace): Promise<void> {
  if (!(await storage.actionPolicies.remove(actionType, tenant))) {
    throw new NothingToChange('No policy of this action type is stored')
  }
  logger.info('action_policy_removed', { actionType, tenant })
}
