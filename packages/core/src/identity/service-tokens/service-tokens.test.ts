import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { beforeEach, describe, expect, it } from 'vitest'
import { days, seconds } from '../../shared/clock.ts'
import { Invalid, NothingToChange } from '../../shared/errors.ts'
import { clockStart } from '../../testing/fake-clock.ts'
import { ServiceTokenNotFound } from '../authentication/errors.ts'
import type { IssueServiceToken } from './issue-service-token.ts'

let test: TestCountersign
let serviceTokens: TestCountersign['countersign']['serviceTokens']
beforeEach(async () => {
  test = await createTestCountersign()
  serviceTokens = test.countersign.serviceTokens
})

const complaintsOf = async (input: IssueServiceToken): Promise<unknown> => {
  const outcome = await serviceTokens.issue(input).catch((error: unknown) => error)
  if (!(outcome instanceof Invalid)) throw new Error('the service token was issued')
  return outcome.fields
}

describe('a service token', () => {
  it('contains its service and scopes, and no user', async () => {
    const { id, token } = await serviceTokens.issue({ service: 'billing', scopes: ['b', 'a', 'b'], ttlSeconds: 60 })
    expect(decodeProtectedHeader(token)).toStrictEqual({ alg: 'HS256', typ: 'service+jwt', kid: test.jwtKeys.current.kid })
    expect(decodeJwt(token)).toStrictEqual({
      token_use: 'service',
      service_name: 'billing',
      permissions: ['a', 'b'],
      session_id: id,
      jti: id,
      sub: 'service:billing',
      iss: 'countersign',
      aud: 'countersign',
      iat: clockStart / 1000,
      exp: clockStart / 1000 + 60,
    })
  })

  it('lasts 90 days by default, and 365 days at most', async () => {
    expect((await serviceTokens.issue({ service: 'billing' })).expiresAt).toBe(clockStart + days(90))
    expect((await serviceTokens.issue({ service: 'billing', ttlSeconds: 31_536_000 })).expiresAt).toBe(clockStart + days(365))
    expect((await serviceTokens.issue({ service: 'billing', ttlSeconds: 1 })).expiresAt).toBe(clockStart + seconds(1))
  })

  it.each([0, -1, 0.5, 1.0001, 1.5, 31_536_001, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])(
    'is refused with a lifetime of %d seconds',
    async (ttlSeconds) => {
      expect(await complaintsOf({ service: 'billing', ttlSeconds })).toStrictEqual({
        ttl: 'must be a whole number of seconds from 1 to 31536000 (365 days)',
      })
    },
  )

  it.each(['', ' ', ' billing', 'billing ', 'bill\ting', 'a'.repeat(65), 'billing\n', 'bílling', 'b\u212Alling', 'bill,ing'])(
    'is refused for the service name %j',
    async (service) => {
      expect(await complaintsOf({ service })).toStrictEqual({
        service: 'must be 1 to 64 of A-Z, a-z, 0-9, dot, underscore, slash, hyphen, and spaces in between',
      })
    },
  )

  it.each(['', ' ', 'Verify', 'a b', 'a\n', 'a'.repeat(129), '.a', '<b>'])('is refused with the scope %j', async (scope) => {
    expect(await complaintsOf({ service: 'billing', scopes: ['verify', scope] })).toStrictEqual({
      scope: 'must be 1 to 128 of a-z, 0-9, dot, colon, asterisk, underscore, hyphen',
    })
  })

  it.each(['confirmation.read', '*', 'a:b', 'project.*', 'a'.repeat(128)])('can have the scope %s', async (scope) => {
    await expect(serviceTokens.issue({ service: 'billing', scopes: [scope] })).resolves.toBeDefined()
  })

  it.each(['', 'a b', 'a'.repeat(65), 'ä'])('is refused if it is bound to the tenant %j', async (tenant) => {
    const outcome = serviceTokens.issue({ service: 'billing', within: ['acme', tenant] })
    await expect(outcome).rejects.toThrow('must be 1 to 64 characters of A-Z, a-z, 0-9 and . _ : -')
  })

  it('is stored only by its id', async () => {
    const { id, token, expiresAt } = await serviceTokens.issue({ service: 'billing', scopes: ['verify'] })
    const kept = await serviceTokens.list()
    expect(kept).toStrictEqual([
      { id, service: 'billing', scopes: ['verify'], within: [], createdAt: clockStart, expiresAt, revokedAt: null },
    ])
    expect(JSON.stringify(kept)).not.toContain(token.split('.')[2])
  })
})

describe('the list of service tokens', () => {
  it('contains all service tokens, newest first', async () => {
    const ids: string[] = []
    for (const ttlSeconds of [1, 60, 3600]) {
      ids.unshift((await serviceTokens.issue({ service: 'billing', ttlSeconds })).id)
      test.clock.advance(seconds(1))
    }
    await serviceTokens.revoke({ id: ids[0] ?? '' })
    expect((await serviceTokens.list()).map(({ id }) => id)).toStrictEqual(ids)
  })
})

describe('revoking a service token', () => {
  it('records the time, and a second revocation is refused', async () => {
    const { id } = await serviceTokens.issue({ service: 'billing' })
    const revokedAt = test.clock.now()
    expect(await serviceTokens.revoke({ id })).toMatchObject({ id, revokedAt })
    await expect(serviceTokens.revoke({ id })).rejects.toStrictEqual(new NothingToChange('The service token is revoked already'))
    expect(await serviceTokens.list()).toMatchObject([{ id, revokedAt }])
  })

  it('keeps other tokens of the service valid', async () => {
    const [one, other] = [await serviceTokens.issue({ service: 'billing' }), await serviceTokens.issue({ service: 'billing' })]
    await serviceTokens.revoke({ id: one.id })
    const { auth } = test.countersign
    await expect(auth.introspect({ token: other.token, serviceName: 'billing' })).resolves.toBeDefined()
    await expect(auth.introspect({ token: one.token, serviceName: 'billing' })).rejects.toThrow('Invalid or expired token')
  })

  it('fails for an unknown id', async () => {
    await expect(serviceTokens.revoke({ id: '00000000-0000-4000-8000-000000000000' })).rejects.toStrictEqual(
      new ServiceTokenNotFound(),
    )
  })
})
