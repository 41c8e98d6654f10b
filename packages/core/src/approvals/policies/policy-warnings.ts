import { limits } from '@countersign/contract'
import { loadSchemaEngine } from '../../shared/json-schema/load-engine.ts'
import type { ApprovalStorage } from '../deps.ts'
import type { ActionPolicy } from '../records/action-policy.ts'
import { type WeakBands, weakBands } from '../records/weak-bands.ts'
import { bandsWithoutCurrency } from './unpinned-currency.ts'

/** Effects of a policy that its author might not expect. */
export interface PolicyWarnings extends WeakBands {
  /** The indexes of the bands that compare an amount without pinning its currency. */
  readonly bandsWithoutCurrency: readonly number[]
  /** The indexes of the bands that cannot check every payload of 4 KB. A request with such a payload is refused. */
  readonly bandsTooComplex: readonly number[]
}

const bandsTooComplex = async ({ bands }: Pick<ActionPolicy, 'bands'>): Promise<readonly number[]> => {
  if (bands.length === 1) return []
  const { canTakeTooMuchWork, checkNewSchema } = await loadSchemaEngine()
  return bands.flatMap(({ when }, band) =>
    when !== undefined && canTakeTooMuchWork(checkNewSchema(JSON.stringify(when)), limits.actionPayloadBytes) ? [band] : [],
  )
}

export const policyWarnings = async (deps: ApprovalStorage, policy: ActionPolicy): Promise<PolicyWarnings> => ({
  bandsWithoutCurrency: await bandsWithoutCurrency(deps, policy),
  bandsTooComplex: await bandsTooComplex(policy),
  ...weakBands(policy.bands),
})
