import { hostChosenName, serviceName } from '@countersign/contract'
import * as z from 'zod'
import { days, type Instant, realTime, seconds } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { text, textList } from '../../shared/input-schemas.ts'
import { randomUuid } from '../../shared/random.ts'
import type { IdentityDeps } from '../deps.ts'
import { fitsInToken, TOKEN_ROOM } from '../records/token-room.ts'
import { signToken } from '../tokens/sign-token.ts'

/** The input for a new service token. */
export interface IssueServiceToken {
  /** 1 to 64 of `A-Z`, `a-z`, `0-9`, dot, underscore, slash, hyphen, and spaces in between. Compared without case. */
  readonly service: string
  /** The scopes that every server that checks the token is told; none by default. Each scope is 1 to 128 of `a-z0-9._:*-`. */
  readonly scopes?: readonly string[]
  /** The tenants in which alone the service asks, reads and redeems, each 1 to 64 of `A-Z a-z 0-9 . _ : -`; no bound by default. */
  readonly within?: readonly string[]
  /** The lifetime: 1 second to 365 days; 90 days by default. */
  readonly ttlSeconds?: number | undefined
}

export const issueServiceTokenShape = {
  service: text,
  scopes: textList.optional(),
  within: z.array(hostChosenName, { error: 'must be a list of tenants' }).optional(),
  // The use case checks the range.
  ttlSeconds: z.custom((value) => typeof value === 'number', { error: 'must be a number of seconds' }).optional(),
}

/** A new service token. */
export interface IssuedServiceToken {
  readonly id: string
  /** The token itself. Only its id is stored, so the token cannot be shown again. */
  readonly token: string
  readonly expiresAt: Instant
}

const DEFAULT_TTL = days(90)
const LONGEST_TTL = days(365)
const SCOPE = /^[a-z0-9*][a-z0-9._:*-]{0,127}$/

/**
 * Issues a token for calls to `/internal/verify`. The token opens no route of a user. @throws Invalid
 * @example const { token } = await countersign.serviceTokens.issue({ service: 'billing', scopes: ['confirmation.initiate'] })
 */
export async function issueServiceToken(deps: IdentityDeps, input: IssueServiceToken): Promise<IssuedServiceToken> {
  const service = serviceName.safeParse(input.service)
  if (!service.success) throw new Invalid({ service: service.error.issues[0]?.message ?? '' })
  const [scopes, within] = [input.scopes, input.within].map((texts = []) => [...new Set(texts)].sort()) as [string[], string[]]
  if (!scopes.every((scope) => SCOPE.test(scope))) {
    throw new Invalid({ scope: 'must be 1 to 128 of a-z, 0-9, dot, colon, asterisk, underscore, hyphen' })
  }
  if (!fitsInToken(scopes)) throw new Invalid({ scope: `must take at most ${TOKEN_ROOM} bytes in a token, all together` })
  const ttl = input.ttlSeconds === undefined ? DEFAULT_TTL : seconds(input.ttlSeconds)
  if (!Number.isInteger(ttl / seconds(1)) || ttl < seconds(1) || ttl > LONGEST_TTL) {
    throw new Invalid({ ttl: 'must be a whole number of seconds from 1 to 31536000 (365 days)' })
  }

  // Real times, because the calling service compares them with its own clock.
  const now = realTime(deps.clock, deps.clock.now())
  const id = randomUuid(deps.random)
  // A bound token has its scopes in its tenants only. No scope names a tenant itself.
  const permissions = within.length === 0 ? scopes : []
  const content = { sub: `service:${service.data}`, jti: id, session_id: id, service_name: service.data, permissions }
  const { token, expiresAt } = signToken(deps, 'service', content, { issuedAt: now, expiresAt: now + ttl })
  await deps.storage.serviceTokens.add({ id, service: service.data, scopes, within, createdAt: now, expiresAt, revokedAt: null })
  return { id, token, expiresAt }
}
