import { authMethods, type TokenUse, trustLevels } from '@countersign/contract'
import * as z from 'zod'
import type { Instant } from '../../shared/clock.ts'

/** The claims of each kind of token. A token with any other claim is refused. */

const registered = {
  iss: z.string(),
  aud: z.string(),
  sub: z.string().min(1),
  jti: z.guid(),
  iat: z.int().nonnegative(),
  exp: z.int().nonnegative(),
  session_id: z.guid(),
}

const userClaims = {
  ...registered,
  id: z.int(),
  email: z.string(),
  employee: z.strictObject({ id: z.string(), name: z.string(), avatarFileId: z.string() }),
  department: z.strictObject({ id: z.string(), name: z.string() }),
  permissions: z.array(z.string()),
  auth_method: z.enum(authMethods),
  trust_level: z.enum(trustLevels),
}

const refreshClaims = { ...registered, id: z.int(), email: z.string() }

export const claimsOfUse = {
  access: z.strictObject({ ...userClaims, token_use: z.literal('access') }),
  biometric_access: z.strictObject({ ...userClaims, token_use: z.literal('biometric_access'), device_id: z.guid() }),
  refresh: z.strictObject({ ...refreshClaims, token_use: z.literal('refresh') }),
  biometric_refresh: z.strictObject({ ...refreshClaims, token_use: z.literal('biometric_refresh'), device_id: z.guid() }),
  service: z.strictObject({
    ...registered,
    token_use: z.literal('service'),
    service_name: z.string(),
    permissions: z.array(z.string()),
  }),
} as const

export type ClaimsOf<U extends keyof typeof claimsOfUse> = z.output<(typeof claimsOfUse)[U]>

export type AnyClaims = ClaimsOf<keyof typeof claimsOfUse>

/** Returns whether the token has expired. A token expires at the millisecond of `exp` (RFC 7519 §4.1.4). */
export const isExpired = ({ exp }: Pick<AnyClaims, 'exp'>, now: Instant): boolean => now >= exp * 1000

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
