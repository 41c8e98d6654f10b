import { authMethods, limits } from '@countersign/contract'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { defaultOptions } from '../../options.ts'
import { parseKeyRing } from '../../shared/crypto/key-ring.ts'
import { Invalid } from '../../shared/errors.ts'
import { silentLogger } from '../../shared/logger.ts'
import { randomUuid, systemRandom } from '../../shared/random.ts'
import { aSession } from '../../testing/builders.ts'
import { permissionsOf, userOf } from '../../testing/claims-of-size.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { signIn, testPassword } from '../../testing/sign-in.ts'
import { issueTokens } from '../tokens/issue-tokens.ts'
import { deriveTokenKeys } from '../tokens/token-keys.ts'
import type { CreateUser } from '../user-administration/create-user.ts'
import { LONGEST_ISSUER, TOKEN_ROOM, tokenUserData } from './token-room.ts'

const tooMuch = new Invalid({
  permissions: 'must take at most 5000 bytes in a token, together with email, employee and department',
})

/** The longest key id, and the longest issuer. */
const longestNames = () => {
  const secret = Buffer.from(systemRandom.bytes(32)).toString('base64url')
  return { jwtKeys: parseKeyRing(`${'k'.repeat(64)}:${secret}`), options: { issuer: 'i'.repeat(LONGEST_ISSUER) } }
}

describe('user data of the maximum size', () => {
  it('fits in every token, with the longest values of all other claims', async () => {
    const { jwtKeys, options } = longestNames()
    const deps = {
      tokenKeys: deriveTokenKeys(jwtKeys),
      options: { ...defaultOptions, ...options },
      clock: fakeClock(),
      random: systemRandom,
      logger: silentLogger,
    }
    const user = { ...userOf(TOKEN_ROOM), id: Number.MAX_SAFE_INTEGER }
    expect(Buffer.byteLength(JSON.stringify(tokenUserData(user)))).toBe(TOKEN_ROOM)
    const aThousandYears = 32_503_680_000_000
    for (const authMethod of authMethods) {
      for (const deviceId of [null, randomUuid(systemRandom)]) {
        const session = aSession({ authMethod, deviceId, rotatedAt: aThousandYears, refreshExpiresAt: aThousandYears })
        const { accessToken, refreshToken } = issueTokens(deps, user, session, aThousandYears)
        expect(accessToken.length).toBeLessThanOrEqual(limits.tokenBytes)
        expect(refreshToken.length).toBeLessThanOrEqual(limits.tokenBytes)
      }
    }
  })

  it('is accepted for a new user, who can log in and out', async () => {
    const test = await createTestCountersign(longestNames())
    const user = await test.countersign.users.create({ ...userOf(TOKEN_ROOM), password: testPassword })
    const { caller, tokens } = await signIn(test, user)
    expect(caller.permissions).toStrictEqual(user.permissions)
    const { refreshToken } = await test.countersign.auth.refresh({ refreshToken: tokens.refreshToken })
    await expect(test.countersign.auth.logout({ caller, refreshToken })).resolves.not.toThrow()
  })

  it('is refused for a new user with one byte more in any field', async () => {
    const { countersign } = await createTestCountersign()
    const { email, employee, department, permissions } = userOf(TOKEN_ROOM)
    const oneMore: CreateUser[] = [
      { email: `a${email}`, employee, department, permissions },
      { email, employee: { ...employee, id: `${employee.id}x` }, department, permissions },
      { email, employee, department: { ...department, name: `${department.name}x` }, permissions },
      userOf(TOKEN_ROOM + 1),
    ]
    for (const user of oneMore) await expect(countersign.users.create(user)).rejects.toStrictEqual(tooMuch)
    expect(await countersign.users.list().next()).toMatchObject({ done: true })
  })

  it('counts in bytes of JSON', async () => {
    const { countersign } = await createTestCountersign()
    const label = '\u{1F600}'.repeat(255)
    const named = { employee: { id: label, name: label, avatarFileId: label }, department: { id: label, name: label } }
    await expect(countersign.users.create({ email: 'ada@example.test', ...named })).rejects.toStrictEqual(tooMuch)
  })

  it('is accepted in a grant of permissions, and refused with one byte more', async () => {
    const { countersign } = await createTestCountersign()
    const { permissions, ...user } = userOf(TOKEN_ROOM)
    const { email } = await countersign.users.create({ ...user, permissions: permissions.slice(0, 3) })
    const granted = await countersign.users.grant({ email, permissions })
    expect(granted.permissions).toStrictEqual([...permissions].sort())
    await expect(countersign.users.grant({ email, permissions: ['a.b'] })).rejects.toStrictEqual(tooMuch)
    expect(await countersign.users.find({ email })).toStrictEqual(granted)
    await countersign.users.revoke({ email, permissions: permissions.slice(0, 1) })
    await expect(countersign.users.grant({ email, permissions: ['a.b'] })).resolves.toBeDefined()
  })
})

describe('service scopes of the maximum size', () => {
  it('fit in the token', async () => {
    const { countersign } = await createTestCountersign(longestNames())
    const scopes = permissionsOf(TOKEN_ROOM)
    expect(Buffer.byteLength(JSON.stringify(scopes))).toBe(TOKEN_ROOM)
    const service = 's'.repeat(64)
    const { token } = await countersign.serviceTokens.issue({ service, scopes })
    expect(await countersign.auth.introspect({ token, serviceName: service })).toMatchObject({ permissions: [...scopes].sort() })
  })

  it('are refused with one byte more, and no token is stored', async () => {
    const { countersign } = await createTestCountersign()
    const issued = countersign.serviceTokens.issue({ service: 'billing', scopes: permissionsOf(TOKEN_ROOM + 1) })
    await expect(issued).rejects.toStrictEqual(new Invalid({ scope: 'must take at most 5000 bytes in a token, all together' }))
    expect(await countersign.serviceTokens.list()).toStrictEqual([])
  })
})
