import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { days, hours, minutes, seconds } from '../../shared/clock.ts'
import { clockStart, fakeClock } from '../../testing/fake-clock.ts'
import {
  createTestUser,
  registerTestDevice,
  signIn,
  signInByDevice,
  signInNewDeviceUser,
  signInNewUser,
  testPassword,
} from '../../testing/sign-in.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const aUuid = expect.stringMatching(UUID)
const startSeconds = clockStart / 1000

describe('the tokens of a password login', () => {
  const profile = {
    email: 'Ada@Example.test',
    password: testPassword,
    name: 'Ada Lovelace',
    employee: { id: 'emp-7', name: 'Ada L.', avatarFileId: 'file-3' },
    department: { id: 'dep-1', name: 'Engines' },
    permissions: ['project.read', 'expense.*'],
  }

  it('have exactly the user, the permissions and the session in the access token', async () => {
    const { countersign } = await createTestCountersign()
    const user = await countersign.users.create(profile)
    const { accessToken } = await countersign.auth.login({ email: profile.email, password: testPassword })
    expect(decodeJwt(accessToken)).toStrictEqual({
      id: user.id,
      email: 'ada@example.test',
      employee: { id: 'emp-7', name: 'Ada L.', avatarFileId: 'file-3' },
      department: { id: 'dep-1', name: 'Engines' },
      permissions: ['expense.*', 'project.read'],
      token_use: 'access',
      auth_method: 'password',
      trust_level: 'standard',
      session_id: aUuid,
      iss: 'countersign',
      aud: 'countersign',
      sub: String(user.id),
      jti: aUuid,
      iat: startSeconds,
      exp: startSeconds + 8 * 60 * 60,
    })
  })

  it('have only the user and the session in the refresh token', async () => {
    const { countersign } = await createTestCountersign()
    const user = await countersign.users.create(profile)
    const { accessToken, refreshToken } = await countersign.auth.login({ email: profile.email, password: testPassword })
    expect(decodeJwt(refreshToken)).toStrictEqual({
      id: user.id,
      email: 'ada@example.test',
      token_use: 'refresh',
      session_id: decodeJwt(accessToken).session_id,
      iss: 'countersign',
      aud: 'countersign',
      sub: String(user.id),
      jti: aUuid,
      iat: startSeconds,
      exp: startSeconds + 3 * 24 * 60 * 60,
    })
  })

  it('have exactly HS256, their type and the key id in the header', async () => {
    const test = await createTestCountersign()
    const { tokens } = await signInNewUser(test)
    const { kid } = test.jwtKeys.current
    expect(decodeProtectedHeader(tokens.accessToken)).toStrictEqual({ alg: 'HS256', typ: 'access+jwt', kid })
    expect(decodeProtectedHeader(tokens.refreshToken)).toStrictEqual({ alg: 'HS256', typ: 'refresh+jwt', kid })
  })

  it('have empty strings if employee and department are unknown', async () => {
    const test = await createTestCountersign()
    const { tokens } = await signInNewUser(test)
    expect(decodeJwt(tokens.accessToken)).toMatchObject({
      employee: { id: '', name: '', avatarFileId: '' },
      department: { id: '', name: '' },
      permissions: [],
    })
  })

  it('expire after 8 hours and 3 days', async () => {
    const { tokens } = await signInNewUser(await createTestCountersign())
    expect(tokens.accessTokenExpiresAt).toBe(clockStart + hours(8))
    expect(tokens.refreshTokenExpiresAt).toBe(clockStart + days(3))
  })

  it('expire after 30 days with rememberMe', async () => {
    const test = await createTestCountersign()
    const { email } = await createTestUser(test)
    const login = (rememberMe: boolean) => test.countersign.auth.login({ email, password: testPassword, rememberMe })
    expect((await login(true)).refreshTokenExpiresAt).toBe(clockStart + days(30))
    expect((await login(false)).refreshTokenExpiresAt).toBe(clockStart + days(3))
  })

  it('have exactly the expiry of the response, even if they are issued in the middle of a second', async () => {
    const { tokens } = await signInNewUser(await createTestCountersign({ clock: fakeClock(clockStart + 999) }))
    expect(decodeJwt(tokens.accessToken)).toMatchObject({ iat: startSeconds, exp: tokens.accessTokenExpiresAt / 1000 })
    expect(decodeJwt(tokens.refreshToken)).toMatchObject({ iat: startSeconds, exp: tokens.refreshTokenExpiresAt / 1000 })
  })

  it('have a new session and a new id with each login', async () => {
    const test = await createTestCountersign()
    const user = await createTestUser(test)
    const pairs = [await signIn(test, user), await signIn(test, user)].map(({ tokens }) => tokens)
    const claims = pairs.flatMap((pair) => [decodeJwt(pair.accessToken), decodeJwt(pair.refreshToken)])
    expect(new Set(claims.map(({ jti }) => jti)).size).toBe(4)
    expect(new Set(claims.map(({ session_id }) => session_id)).size).toBe(2)
  })

  it('follow the lifetime and issuer options of the host', async () => {
    const options = { issuer: 'bank.test', accessTokenLifetime: seconds(10), refreshTokenLifetime: minutes(1) }
    const { tokens } = await signInNewUser(await createTestCountersign({ options }))
    expect(decodeJwt(tokens.accessToken)).toMatchObject({ iss: 'bank.test', aud: 'bank.test', exp: startSeconds + 10 })
    expect(decodeJwt(tokens.refreshToken)).toMatchObject({ iss: 'bank.test', aud: 'bank.test', exp: startSeconds + 60 })
  })
})

describe('the tokens of a device login', () => {
  it('contain the device id and high trust', async () => {
    const test = await createTestCountersign()
    const { device, user, mobile } = await signInNewDeviceUser(test)
    expect(decodeJwt(mobile.tokens.accessToken)).toStrictEqual({
      id: user.id,
      email: user.email,
      employee: user.employee,
      department: user.department,
      permissions: [],
      token_use: 'biometric_access',
      device_id: device.id,
      auth_method: 'biometric',
      trust_level: 'high',
      session_id: aUuid,
      iss: 'countersign',
      aud: 'countersign',
      sub: String(user.id),
      jti: aUuid,
      iat: startSeconds,
      exp: startSeconds + 15 * 60,
    })
    expect(decodeJwt(mobile.tokens.refreshToken)).toMatchObject({
      token_use: 'biometric_refresh',
      device_id: device.id,
      exp: startSeconds + 30 * 24 * 60 * 60,
    })
  })

  it('have other `typ` headers than those of a password login', async () => {
    const { tokens } = (await signInNewDeviceUser(await createTestCountersign())).mobile
    expect(decodeProtectedHeader(tokens.accessToken)).toMatchObject({ alg: 'HS256', typ: 'biometric-access+jwt' })
    expect(decodeProtectedHeader(tokens.refreshToken)).toMatchObject({ alg: 'HS256', typ: 'biometric-refresh+jwt' })
  })

  it('expire after 15 minutes and 30 days, with and without rememberMe', async () => {
    const test = await createTestCountersign()
    const registered = await registerTestDevice(test, (await signInNewUser(test)).caller)
    for (const rememberMe of [true, false]) {
      const { tokens } = await signInByDevice(test, registered, { rememberMe })
      expect(tokens.accessTokenExpiresAt).toBe(clockStart + minutes(15))
      expect(tokens.refreshTokenExpiresAt).toBe(clockStart + days(30))
    }
  })
})
