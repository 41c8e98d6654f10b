import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { days, seconds } from '../../shared/clock.ts'
import { signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'
import { InvalidAccessToken, InvalidRefreshToken } from '../authentication/errors.ts'

const refreshWith = ({ countersign }: TestCountersign, refreshToken: string) => countersign.auth.refresh({ refreshToken })

const expectAllDead = async (test: TestCountersign, pairs: readonly { accessToken: string; refreshToken: string }[]) => {
  for (const { accessToken, refreshToken } of pairs) {
    await expect(test.countersign.auth.authenticate({ token: accessToken })).rejects.toThrow(InvalidAccessToken)
    await expect(refreshWith(test, refreshToken)).rejects.toThrow(InvalidRefreshToken)
  }
}

describe('a second use of a spent refresh token', () => {
  it('ends the session: the successor and every access token are refused', async () => {
    const test = await createTestCountersign()
    const { tokens } = await signInNewUser(test)
    const next = await refreshWith(test, tokens.refreshToken)
    await expect(refreshWith(test, tokens.refreshToken)).rejects.toThrow(InvalidRefreshToken)
    await expectAllDead(test, [tokens, next])
  })

  it('ends the session even if the token was spent long ago', async () => {
    const test = await createTestCountersign({ options: { refreshLeeway: seconds(30) } })
    const { tokens: a } = await signInNewUser(test)
    const b = await refreshWith(test, a.refreshToken)
    const c = await refreshWith(test, b.refreshToken)
    await expect(refreshWith(test, a.refreshToken)).rejects.toThrow(InvalidRefreshToken)
    await expectAllDead(test, [a, b, c])
  })

  it('ends the session of a device login too', async () => {
    const test = await createTestCountersign()
    const { tokens } = (await signInNewDeviceUser(test)).mobile
    const { refreshToken } = tokens
    const next = await test.countersign.mobile.refresh({ refreshToken })
    await expect(test.countersign.mobile.refresh({ refreshToken })).rejects.toThrow(InvalidRefreshToken)
    await expect(test.countersign.auth.authenticate({ token: next.accessToken })).rejects.toThrow(InvalidAccessToken)
    await expect(test.countersign.mobile.refresh({ refreshToken: next.refreshToken })).rejects.toThrow(InvalidRefreshToken)
  })

  it('keeps the other sessions of the user', async () => {
    const test = await createTestCountersign()
    const { web, mobile, user } = await signInNewDeviceUser(test)
    await refreshWith(test, web.tokens.refreshToken)
    await expect(refreshWith(test, web.tokens.refreshToken)).rejects.toThrow(InvalidRefreshToken)
    await expect(test.countersign.mobile.refresh({ refreshToken: mobile.tokens.refreshToken })).resolves.toBeDefined()
    expect(await test.countersign.sessions.list({ email: user.email })).toHaveLength(1)
  })

  it('is stored as the reason for the end of the session, and logged once without the token', async () => {
    const test = await createTestCountersign()
    const { tokens, caller } = await signInNewUser(test)
    await refreshWith(test, tokens.refreshToken)
    for (let time = 0; time < 3; time += 1) {
      await expect(refreshWith(test, tokens.refreshToken)).rejects.toThrow(InvalidRefreshToken)
    }
    expect(await test.storage.sessions.byId(caller.sessionId)).toMatchObject({ endReason: 'token_reuse' })
    expect(test.logger.entries.filter(({ level }) => level === 'warn')).toStrictEqual([
      { level: 'warn', event: 'refresh_token_reused', fields: { sessionId: caller.sessionId, userId: caller.userId } },
    ])
  })
})

describe('within the leeway, a spent refresh token', () => {
  const leeway = seconds(10)
  const given = async () => {
    const test = await createTestCountersign({ options: { refreshLeeway: leeway } })
    const { tokens } = await signInNewUser(test)
    return { test, tokens, next: await refreshWith(test, tokens.refreshToken) }
  }

  it('returns exactly the same successor, and a valid access token', async () => {
    const { test, tokens, next } = await given()
    test.clock.advance(leeway)
    const again = await refreshWith(test, tokens.refreshToken)
    expect(again.refreshToken).toBe(next.refreshToken)
    expect(again.refreshTokenExpiresAt).toBe(next.refreshTokenExpiresAt)
    await expect(test.countersign.auth.authenticate({ token: again.accessToken })).resolves.toBeDefined()
  })

  it('ends the session from the first millisecond after the leeway', async () => {
    const { test, tokens, next } = await given()
    test.clock.advance(leeway + 1)
    await expect(refreshWith(test, tokens.refreshToken)).rejects.toThrow(InvalidRefreshToken)
    await expectAllDead(test, [tokens, next])
  })

  it('ends the session after the successor was used', async () => {
    const { test, tokens, next } = await given()
    const third = await refreshWith(test, next.refreshToken)
    await expect(refreshWith(test, tokens.refreshToken)).rejects.toThrow(InvalidRefreshToken)
    await expectAllDead(test, [tokens, next, third])
  })

  it('is refused if the session has ended', async () => {
    const { test, tokens } = await given()
    await test.countersign.sessions.revoke({ id: String(decodeJwt(tokens.accessToken).session_id) })
    await expect(refreshWith(test, tokens.refreshToken)).rejects.toThrow(InvalidRefreshToken)
  })

  it('ends the session if the clock was set back by more than the leeway', async () => {
    const { test, tokens, next } = await given()
    test.clock.advance(-leeway - 1)
    await expect(refreshWith(test, tokens.refreshToken)).rejects.toThrow(InvalidRefreshToken)
    await expectAllDead(test, [tokens, next])
  })

  it('returns the successor if the clock was set back by no more than the leeway', async () => {
    const { test, tokens, next } = await given()
    test.clock.advance(-leeway)
    expect((await refreshWith(test, tokens.refreshToken)).refreshToken).toBe(next.refreshToken)
  })

  it('does not extend its lifetime', async () => {
    const { test, tokens, next } = await given()
    test.clock.advance(days(3) - 1)
    const third = await refreshWith(test, next.refreshToken)
    test.clock.advance(1)
    await expect(refreshWith(test, tokens.refreshToken)).rejects.toThrow(InvalidRefreshToken)
    // The token had expired, so it did not count as stolen.
    await expect(refreshWith(test, third.refreshToken)).resolves.toBeDefined()
  })
})
