import { createHash } from 'node:crypto'
import type { Statement } from '@countersign/contract'
import canonicalize from 'canonicalize'
import { LRUCache } from 'lru-cache'
import type { Validate } from '../../shared/json-schema/compile-schema.ts'
import { loadSchemaEngine, type SchemaEngine } from '../../shared/json-schema/load-engine.ts'
import type { ActionPolicy, PolicyBand } from '../records/action-policy.ts'

/** The compiled `when` of bands, by their JSON. */
const compiled = new LRUCache<string, Validate>({ max: 500 })

/** Returns the validator of a `when`. @throws SchemaRefused */
export const compileWhen = ({ checkNewSchema, compileSchema }: SchemaEngine, when: NonNullable<PolicyBand['when']>): Validate => {
  const text = JSON.stringify(when)
  const validate = compiled.get(text) ?? compileSchema(checkNewSchema(text))
  compiled.set(text, validate)
  return validate
}

/**
 * Returns the index of the band that applies to a payload: the first one that accepts the payload. A payload whose check takes too
 * much work falls into a later band.
 */
export const selectBand = async ({ bands }: Pick<ActionPolicy, 'bands'>, payload: unknown): Promise<number> => {
  if (bands.length === 1) return 0
  const engine = await loadSchemaEngine()
  return bands.findIndex(({ when }) => when === undefined || compileWhen(engine, when)(payload).length === 0)
}

/** The policy as a vote signs it: its version, the band that applied, and the SHA-256 of its canonical JSON in base64url. */
export type SignedPolicy = NonNullable<Statement['approval']>['policy']

/** Returns a policy as a vote signs it. */
export const signedPolicy = ({ actionType, scope, version, bands }: ActionPolicy, band: number): SignedPolicy => {
  const text = canonicalize({ actionType, scope, version, bands })
  if (text === undefined) throw new TypeError('a policy has a canonical form')
  return { version, band, digest: createHash('sha256').update(text, 'utf8').digest('base64url') }
}
