import type { TokenUse } from '@countersign/contract'

/** The `typ` header of each kind of token (RFC 8725 §3.11). The header identifies the kind before any claim is read. */
export const tokenTypes = {
  access: 'access+jwt',
  biometric_access: 'biometric-access+jwt',
  refresh: 'refresh+jwt',
  biometric_refresh: 'biometric-refresh+jwt',
  service: 'service+jwt',
} as const satisfies Record<TokenUse, string>

const uses = new Map<string, TokenUse>(Object.entries(tokenTypes).map(([use, type]) => [type, use as TokenUse]))

/** Returns the kind of token for a `typ` header; `undefined` for an unknown `typ`. */
export const useOfType = (type: unknown): TokenUse | undefined => (typeof type === 'string' ? uses.get(type) : undefined)
