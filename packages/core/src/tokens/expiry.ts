import type { Instant } from '../ports/clock.ts'
import type { AnyClaims } from './claims.ts'

/** Whether the token has expired: from the very millisecond of `exp` (RFC 7519 §4.1.4). */
export const isExpired = ({ exp }: Pick<AnyClaims, 'exp'>, now: Instant): boolean => now >= exp * 1000
