import { createTestCountersign, createTestStorage } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { createCountersign } from './countersign.ts'
import { SWEEP_MARGIN } from './retention.ts'
import { hours } from './shared/clock.ts'
import { Invalid } from './shared/errors.ts'
import { clockStart } from './testing/fake-clock.ts'
import { signInNewUser, testPassword } from './testing/sign-in.ts'
import { aKeyRing } from './testing/test-keys.ts'

const ofStorageAndKeys = async () =>
  createCountersign({ storage: await createTestStorage(), jwtKeys: aKeyRing(), encryptionKeys: aKeyRing() })

describe('a countersign', () => {
  it('needs only storage and keys, and uses production defaults for the rest', async () => {
    const countersign = await ofStorageAndKeys()
    const before = Date.now()
    const { email } = await countersign.users.create({ email: 'ada@example.test', password: testPassword })
    const tokens = await countersign.auth.login({ email, password: testPassword })
    expect(tokens.accessTokenExpiresAt).toBeGreaterThan(before + hours(8) - 1001)
    expect(tokens.accessTokenExpiresAt).toBeLessThanOrEqual(Date.now() + hours(8))
    const caller = await countersign.auth.authenticate({ token: tokens.accessToken })
    const actionPayload = { userId: 7 }
    await expect(
      countersign.confirmations.initiate({ caller, actionType: 'password_change', actionPayload }),
    ).resolves.toBeDefined()
  })

  it('refuses the tokens of another countersign', async () => {
    const [one, other] = [await createTestCountersign(), await createTestCountersign()]
    const { tokens } = await signInNewUser(one)
    await signInNewUser(other)
    await expect(other.countersign.auth.authenticate({ token: tokens.accessToken })).rejects.toThrow('Invalid or expired token')
  })

  it('uses the default of each option that a host leaves out', async () => {
    const { countersign, clock } = await createTestCountersign({ options: { issuer: 'bank.test' } })
    const { email } = await countersign.users.create({ email: 'ada@example.test', password: testPassword })
    const { accessTokenExpiresAt } = await countersign.auth.login({ email, password: testPassword })
    expect(accessTokenExpiresAt).toBe(clock.now() + hours(8))
  })

  it('checks its input against the contract, also without HTTP', async () => {
    const { countersign } = await createTestCountersign()
    const login = countersign.auth.login as (input: unknown) => Promise<unknown>
    for (const input of [undefined, null, 'text', {}, { email: ['ada@example.test'], password: {} }]) {
      await expect(login(input)).rejects.toBeInstanceOf(Invalid)
    }
  })

  it('ignores unknown members of the input', async () => {
    const test = await createTestCountersign()
    const { caller } = await signInNewUser(test)
    const other = await signInNewUser(test)
    const input = {
      actionType: 'password_change',
      actionPayload: { userId: 7 },
      userId: other.user.id,
      id: 'conf_x',
      status: 'approved',
    } as const
    const confirmation = await test.countersign.confirmations.initiate({ caller, ...input })
    expect(confirmation.id).not.toBe('conf_x')
    expect(await test.storage.confirmations.byId(confirmation.id)).toMatchObject({ userId: caller.userId, status: 'pending' })
  })

  it('sweeps expired rows, and returns the number of each kind', async () => {
    const { countersign, clock } = await createTestCountersign()
    await countersign.mobile.beginLogin({ deviceFingerprint: 'fingerprint-1' })
    expect(await countersign.sweep()).toEqual({})
    clock.advance(hours(1))
    expect(await countersign.sweep()).toEqual({ challenges: 1 })
  })

  it('sweeps a row a quarter of an hour after it expired, for servers whose clock is behind', async () => {
    const { countersign, clock, storage } = await createTestCountersign()
    const { id, expiresAt } = await countersign.mobile.beginLogin({ deviceFingerprint: 'fingerprint-1' })
    const expiresIn = expiresAt - clock.now()
    clock.advance(expiresIn + SWEEP_MARGIN - 1)
    expect(await countersign.sweep()).toEqual({})
    expect(await storage.challenges.consume(id, 'device_login', null, clockStart)).toBeDefined()
    await countersign.mobile.beginLogin({ deviceFingerprint: 'fingerprint-1' })
    clock.advance(expiresIn + SWEEP_MARGIN)
    expect(await countersign.sweep()).toEqual({ challenges: 1 })
  })
})
