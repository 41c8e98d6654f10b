import { createSecretKey, type KeyObject } from 'node:crypto'
import { type TokenUse, tokenUses } from '@countersign/contract'
import { deriveKey, type KeyRing } from '../../shared/crypto/key-ring.ts'

/** The keys of one kind of token. */
export interface TokenUseKeys {
  readonly current: { readonly kid: string; readonly key: KeyObject }
  readonly keys: ReadonlyMap<string, KeyObject>
}

export type TokenKeys = Readonly<Record<TokenUse, TokenUseKeys>>

/** Derives one key for each kind of token from each secret of the ring. */
export const deriveTokenKeys = (ring: KeyRing): TokenKeys => {
  const forUse = (use: TokenUse): TokenUseKeys => {
    const derive = (secret: Uint8Array) => createSecretKey(deriveKey(secret, `jwt/${use}`))
    const keys = new Map([...ring.secrets].map(([kid, secret]) => [kid, derive(secret)]))
    return { current: { kid: ring.current.kid, key: keys.get(ring.current.kid) as KeyObject }, keys }
  }
  return Object.fromEntries(tokenUses.map((use) => [use, forUse(use)])) as unknown as TokenKeys
}
