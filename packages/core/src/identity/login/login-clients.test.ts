import { createTestCountersign, createTestStorage, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { days, minutes, seconds } from '../../shared/clock.ts'
import { RateLimited, Unavailable } from '../../shared/errors.ts'
import type { FullStorage } from '../../storage.ts'
import { signInNewPasskeyUser } from '../../testing/passkeys.ts'
import { createTestUser, registerTestDevice, signIn, testPassword } from '../../testing/sign-in.ts'
import { InvalidCredentials } from '../authentication/errors.ts'

const HOME = '198.51.100.1'
const stranger = (number: number): string => `203.0.113.${number}`

const given = async (storage?: FullStorage) => {
  const test = await createTestCountersign(storage === undefined ? {} : { storage })
  const { email } = await createTestUser(test)
  const tryFrom = (address: string | undefined, password: string): Promise<unknown> =>
    test.countersign.auth.login({ email, password, ...(address === undefined ? {} : { address }) }).then(
      () => 'in',
      (error: unknown) => error,
    )
  const failFrom = async (address: string | undefined, times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      expect(await tryFrom(address, 'not the password')).toBeInstanceOf(InvalidCredentials)
    }
  }
  /** Causes a hundred failures, one from each of a hundred addresses. */
  const emptyTheCeiling = async (): Promise<void> => {
    for (let number = 0; number < 100; number += 1) await failFrom(stranger(number), 1)
  }
  return { test, email, failFrom, emptyTheCeiling, enterFrom: (address?: string) => tryFrom(address, testPassword) }
}

const RATE_LIMITED_FOR = (retryAfterMs: number) => ({ kind: 'rate_limited', retryAfterMs })

/** Logs the user of a test in by a registered device, from an address. */
const enterByDevice = async ({ countersign }: TestCountersign, email: string, address: string): Promise<void> => {
  const test = { countersign }
  const user = await countersign.users.find({ email })
  const { caller } = await signIn(test, user)
  const { device, signer } = await registerTestDevice(test, caller)
  const { id, challenge } = await countersign.mobile.beginLogin({ deviceFingerprint: device.deviceFingerprint })
  await countersign.mobile.finishLogin({ sessionId: id, signedChallenge: signer.sign(challenge), rememberMe: false, address })
}

describe('failures from one address', () => {
  it('delay that address and no other', async () => {
    const { failFrom, enterFrom } = await given()
    await failFrom(stranger(1), 20)
    expect(await enterFrom(stranger(1))).toMatchObject(RATE_LIMITED_FOR(seconds(30)))
    expect(await enterFrom(HOME)).toBe('in')
    expect(await enterFrom(stranger(2))).toBe('in')
  })

  it('delay a known address too, because several people may share the address', async () => {
    const { failFrom, enterFrom } = await given()
    await enterFrom(HOME)
    await failFrom(HOME, 20)
    expect(await enterFrom(HOME)).toMatchObject(RATE_LIMITED_FOR(seconds(30)))
  })

  it('are not reset by a login from another address', async () => {
    const { failFrom, enterFrom } = await given()
    await failFrom(stranger(1), 20)
    expect(await enterFrom(HOME)).toBe('in')
    expect(await enterFrom(stranger(1))).toMatchObject(RATE_LIMITED_FOR(seconds(30)))
  })

  it('count together if no address is given', async () => {
    const { failFrom, enterFrom } = await given()
    await failFrom(undefined, 20)
    expect(await enterFrom()).toMatchObject(RATE_LIMITED_FOR(seconds(30)))
    expect(await enterFrom(HOME)).toBe('in')
  })
})

describe('failures from many addresses', () => {
  it('block unknown addresses, except for one attempt per minute', async () => {
    const { test, failFrom, emptyTheCeiling, enterFrom } = await given()
    await emptyTheCeiling()
    expect(await enterFrom(stranger(200))).toMatchObject(RATE_LIMITED_FOR(minutes(1)))
    test.clock.advance(minutes(1))
    await failFrom(stranger(201), 1)
    expect(await enterFrom(stranger(200))).toBeInstanceOf(RateLimited)
    test.clock.advance(minutes(1))
    expect(await enterFrom(stranger(200))).toBe('in')
  })

  it('never block a known address, and never make an address unknown', async () => {
    const { test, emptyTheCeiling, enterFrom } = await given()
    expect(await enterFrom(HOME)).toBe('in')
    await emptyTheCeiling()
    expect(await enterFrom(HOME)).toBe('in')
    expect(await enterFrom(stranger(200))).toBeInstanceOf(RateLimited)
    test.clock.advance(days(30))
    await emptyTheCeiling()
    expect(await enterFrom(HOME)).toBe('in')
  })

  it('block an address whose last login was sixty days ago', async () => {
    const { test, emptyTheCeiling, enterFrom } = await given()
    expect(await enterFrom(HOME)).toBe('in')
    test.clock.advance(days(60) - 1)
    await test.countersign.sweep()
    await emptyTheCeiling()
    expect(await enterFrom(HOME)).toBe('in')
    test.clock.advance(days(60))
    await test.countersign.sweep()
    await emptyTheCeiling()
    expect(await enterFrom(HOME)).toBeInstanceOf(RateLimited)
  })

  it('never block an address from which a device has logged in', async () => {
    const { test, email, emptyTheCeiling, enterFrom } = await given()
    await enterByDevice(test, email, HOME)
    await emptyTheCeiling()
    expect(await enterFrom(HOME)).toBe('in')
  })

  it('never block an address from which a passkey has logged in', async () => {
    const test = await createTestCountersign()
    const { user, virtual } = await signInNewPasskeyUser(test)
    const { challengeId, publicKey } = await test.countersign.passkeys.beginLogin({})
    await test.countersign.passkeys.finishLogin({ challengeId, credential: virtual.get(publicKey), address: HOME })
    const enterFrom = (address: string, password = testPassword) =>
      test.countersign.auth.login({ email: user.email, password, address })
    for (let number = 0; number < 100; number += 1) {
      await expect(enterFrom(stranger(number), 'not the password')).rejects.toThrow(InvalidCredentials)
    }
    await expect(enterFrom(stranger(200))).rejects.toThrow(RateLimited)
    await expect(enterFrom(HOME)).resolves.toBeDefined()
  })

  it('do not include the failures of a known address', async () => {
    const { failFrom, enterFrom } = await given()
    await enterFrom(HOME)
    for (let round = 0; round < 6; round += 1) {
      await failFrom(HOME, 19)
      expect(await enterFrom(HOME)).toBe('in')
    }
    await failFrom(stranger(1), 20)
    expect(await enterFrom(stranger(2))).toBe('in')
  })
})

describe('right passwords from many addresses', () => {
  it('do not count towards the ceiling, in sequence or concurrently', async () => {
    const { enterFrom } = await given()
    for (let number = 0; number < 120; number += 1) expect(await enterFrom(stranger(number))).toBe('in')
    const atOnce = await Promise.all(Array.from({ length: 60 }, (_, number) => enterFrom(`192.0.2.${number}`)))
    expect(new Set(atOnce)).toStrictEqual(new Set(['in']))
  })

  it('do not count towards the ceiling if the login fails for another reason', async () => {
    const memory = await createTestStorage()
    let isAway = false
    const storage: FullStorage = {
      ...memory,
      transaction: (work) => (isAway ? Promise.reject(new Unavailable()) : memory.transaction(work)),
    }
    const { enterFrom } = await given(storage)
    isAway = true
    for (let number = 0; number < 120; number += 1) expect(await enterFrom(stranger(number))).toBeInstanceOf(Unavailable)
    isAway = false
    expect(await enterFrom(HOME)).toBe('in')
  })
})

it('an address that is not a string is refused, and the field is named', async () => {
  const { test, email } = await given()
  const login = test.countersign.auth.login({ email, password: testPassword, address: 7 as never })
  await expect(login).rejects.toMatchObject({ fields: { address: 'must be the address of the client' } })
})
