import { createHash } from 'node:crypto'
import type { Statement } from '@countersign/contract'
import canonicalize from 'canonicalize'
import type { StoredActionPolicy } from '../records/action-policy.ts'

/** The policy as a vote signs it: its version, the band that applied, and the SHA-256 of its canonical JSON in base64url. */
export type SignedPolicy = NonNullable<Statement['approval']>['policy']

/** Returns a policy as a vote signs it. */
export const signedPolicy = ({ actionType, permission, count }: StoredActionPolicy): SignedPolicy => {
  const version = 1
  const text = canonicalize({ actionType, scope: null, version, bands: [{ groups: [{ permission, count }] }] })
  if (text === undefined) throw new TypeError('a policy has a canonical form')
  return { version, band: 0, digest: createHash('sha256').update(text, 'utf8').digest('base64url') }
}
