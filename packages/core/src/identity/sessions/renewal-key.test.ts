import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { hours, minutes, seconds } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'
import { InvalidAccessToken, InvalidRefreshToken } from '../authentication/errors.ts'
import type { IdentityOptions } from '../options.ts'

const key = 'a'.repeat(22)
const otherKey = 'b'.repeat(22)

const refreshWith = ({ countersign }: TestCountersign, refreshToken: string, renewalKey?: string) =>
  countersign.auth.refresh({ refreshToken, ...(renewalKey === undefined ? {} : { renewalKey }) })

/** Returns a session after a refresh whose answer the client may have lost. */
const given = async (options: Partial<IdentityOptions> = {}, renewalKey: string | null = key) => {
  const test = await createTestCountersign({ options })
  const { tokens } = await signInNewUser(test)
  const next = await refreshWith(test, tokens.refreshToken, renewalKey ?? undefined)
  const again = (given?: string) => refreshWith(test, tokens.refreshToken, given)
  const expectEnded = async () => {
    await expect(test.countersign.auth.authenticate({ token: next.accessToken })).rejects.toThrow(InvalidAccessToken)
    await expect(refreshWith(test, next.refreshToken)).rejects.toThrow(InvalidRefreshToken)
  }
  return { test, tokens, next, again, expectEnded }
}

describe('a refresh that a client repeats with its renewal key', () => {
  it('is answered with the same successor and a valid access token, as often as the client asks', async () => {
    const { test, next, again } = await given()
    for (let time = 0; time < 3; time += 1) {
      const answer = await again(key)
      expect(answer.refreshToken).toBe(next.refreshToken)
      expect(answer.refreshTokenExpiresAt).toBe(next.refreshTokenExpiresAt)
      await expect(test.countersign.auth.authenticate({ token: answer.accessToken })).resolves.toBeDefined()
    }
    expect(test.logger.entries).toStrictEqual([])
    await expect(refreshWith(test, next.refreshToken, otherKey)).resolves.toBeDefined()
  })

  it('is answered for a minute, and counts as reuse from then on', async () => {
    const { test, next, again, expectEnded } = await given()
    test.clock.advance(minutes(1))
    expect(await again(key)).toMatchObject({ refreshToken: next.refreshToken })
    test.clock.advance(1)
    await expect(again(key)).rejects.toThrow(InvalidRefreshToken)
    await expectEnded()
  })

  it('is answered on a clock that is two seconds behind, but not on one that was set back by an hour', async () => {
    const { test, next, again, expectEnded } = await given()
    test.clock.advance(-seconds(2))
    expect(await again(key)).toMatchObject({ refreshToken: next.refreshToken })
    test.clock.advance(seconds(2) - hours(1))
    await expect(again(key)).rejects.toThrow(InvalidRefreshToken)
    test.clock.advance(hours(1))
    await expectEnded()
  })

  it('counts as reuse without the key and with another key', async () => {
    for (const wrong of [undefined, otherKey]) {
      const { again, expectEnded } = await given()
      await expect(again(wrong)).rejects.toThrow(InvalidRefreshToken)
      await expectEnded()
    }
  })

  it('counts as reuse after the successor was used, also with the key', async () => {
    const { test, next, again } = await given()
    const third = await refreshWith(test, next.refreshToken, otherKey)
    await expect(again(key)).rejects.toThrow(InvalidRefreshToken)
    await expect(refreshWith(test, third.refreshToken)).rejects.toThrow(InvalidRefreshToken)
  })

  it('counts as reuse if the first request had no key', async () => {
    const { again, expectEnded } = await given({}, null)
    await expect(again(key)).rejects.toThrow(InvalidRefreshToken)
    await expectEnded()
  })

  it('is refused after the session has ended', async () => {
    const { test, tokens, again } = await given()
    const { sessionId } = await test.countersign.auth.authenticate({ token: tokens.accessToken })
    await test.countersign.sessions.revoke({ id: sessionId })
    await expect(again(key)).rejects.toThrow(InvalidRefreshToken)
  })

  it('works for the session of a device login', async () => {
    const test = await createTestCountersign()
    const { refreshToken } = (await signInNewDeviceUser(test)).mobile.tokens
    const next = await test.countersign.mobile.refresh({ refreshToken, renewalKey: key })
    const again = await test.countersign.mobile.refresh({ refreshToken, renewalKey: key })
    expect(again.refreshToken).toBe(next.refreshToken)
    await expect(test.countersign.mobile.refresh({ refreshToken })).rejects.toThrow(InvalidRefreshToken)
    await expect(test.countersign.mobile.refresh({ refreshToken: next.refreshToken })).rejects.toThrow(InvalidRefreshToken)
  })

  it('counts as reuse if the option is off', async () => {
    const { again, expectEnded } = await given({ renewalWindow: 0 })
    await expect(again(key)).rejects.toThrow(InvalidRefreshToken)
    await expectEnded()
  })

  it('leaves no key in the database', async () => {
    const { test, tokens } = await given()
    const { sessionId } = await test.countersign.auth.authenticate({ token: tokens.accessToken })
    const stored = await test.storage.sessions.byId(sessionId)
    expect(stored?.renewalKeyHash).toMatch(/^[\w-]{43}$/)
    expect(JSON.stringify(stored)).not.toContain(key)
  })
})

describe('within the leeway, a rotation that carried a key', () => {
  const leeway = { refreshLeeway: seconds(30), renewalWindow: 0 }

  it('is answered again only to that key', async () => {
    const { test, next, again } = await given(leeway)
    test.clock.advance(seconds(30))
    expect(await again(key)).toMatchObject({ refreshToken: next.refreshToken })
    for (const wrong of [undefined, otherKey]) {
      const other = await given(leeway)
      await expect(other.again(wrong)).rejects.toThrow(InvalidRefreshToken)
      await other.expectEnded()
    }
  })

  it('counts as reuse after the leeway', async () => {
    const { test, again } = await given(leeway)
    test.clock.advance(seconds(30) + 1)
    await expect(again(key)).rejects.toThrow(InvalidRefreshToken)
  })
})

describe('within the leeway, a rotation without a key', () => {
  it('is not answered again on a clock that was set back by more than the leeway', async () => {
    const { test, again } = await given({ refreshLeeway: seconds(30) }, null)
    test.clock.advance(-seconds(30))
    await expect(again()).resolves.toBeDefined()
    test.clock.advance(-1)
    await expect(again()).rejects.toThrow(InvalidRefreshToken)
  })
})

describe('a renewal key', () => {
  it('is refused if it has another form, and the token stays valid', async () => {
    const test = await createTestCountersign()
    const { refreshToken } = (await signInNewUser(test)).tokens
    for (const renewalKey of ['', 'a'.repeat(21), 'a'.repeat(87), `${'a'.repeat(22)}=`, 'é'.repeat(22), `${'a'.repeat(22)}\n`]) {
      await expect(refreshWith(test, refreshToken, renewalKey)).rejects.toThrow(Invalid)
    }
    const longest = `${'Z09_-'.repeat(17)}A`
    await expect(refreshWith(test, refreshToken, longest)).resolves.toBeDefined()
  })
})
