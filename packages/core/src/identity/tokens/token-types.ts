import type { TokenUse } from '@countersign/contract'

/** The `typ` of each use (RFC 8725 §3.11): what a token is for is said before anything in it is read. */
export const tokenTypes = {
  access: 'access+jwt',
  biometric_access: 'biometric-access+jwt',
  refresh: 'refresh+jwt',
  biometric_refresh: 'biometric-refresh+jwt',
  service: 'service+jwt',
} as const satisfies Record<TokenUse, string>

const uses = new Map<string, TokenUse>(Object.entries(tokenTypes).map(([use, type]) => [type, use as TokenUse]))

/** The use that a `typ` stands for, if any. */
export const useOfType = (type: unknown): TokenUse | undefined => (typeof type === 'string' ? uses.get(type) : undefined)
