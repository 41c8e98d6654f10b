import { createHash } from 'node:crypto'
import type { Statement } from '@countersign/contract'
import canonicalize from 'canonicalize'
import { LRUCache } from 'lru-cache'
import { Invalid } from '../../shared/errors.ts'
import type { Accepts } from '../../shared/json-schema/compile-schema.ts'
import { loadSchemaEngine, type SchemaEngine } from '../../shared/json-schema/load-engine.ts'
import { type ActionPolicy, type PolicyBand, withoutLabels } from '../records/action-policy.ts'

type When = NonNullable<PolicyBand['when']>

const compiled = new LRUCache<string, Accepts>({ max: 500 })

/** Returns the function that applies a `when`. @throws SchemaRefused */
export const compileWhen = ({ checkNewSchema, compileChoice }: SchemaEngine, when: When): Accepts => {
  const text = JSON.stringify(when)
  const accepts = compiled.get(text) ?? compileChoice(checkNewSchema(text))
  compiled.set(text, accepts)
  return accepts
}

/** Returns the first band that accepts the payload; `undefined` for too much work, because a later band could be weaker. */
export const selectBand = async ({ bands }: Pick<ActionPolicy, 'bands'>, payload: unknown): Promise<number | undefined> => {
  if (bands.length === 1) return 0
  const engine = await loadSchemaEngine()
  for (const [at, { when }] of bands.entries()) {
    const isAccepted = when === undefined || compileWhen(engine, when)(payload)
    if (isAccepted !== false) return isAccepted && at
  }
  return undefined
}

/** Returns the index of the band that applies to a payload. @throws Invalid if checking the payload takes too much work */
export const requireBand = async (policy: Pick<ActionPolicy, 'bands'>, payload: unknown): Promise<number> => {
  const band = await selectBand(policy, payload)
  if (band === undefined) throw new Invalid({ actionPayload: (await loadSchemaEngine()).TOO_MUCH_WORK })
  return band
}

/** The policy as a vote signs it: its version, the band that applied, and the SHA-256 of its canonical JSON without labels. */
export type SignedPolicy = NonNullable<Statement['approval']>['policy']

export const signedPolicy = ({ actionType, tenant, version, bands }: ActionPolicy, band: number): SignedPolicy => {
  const text = canonicalize({ actionType, tenant, version, bands: withoutLabels(bands) }) as string
  return { version, band, digest: createHash('sha256').update(text, 'utf8').digest('base64url') }
}
