import type { Output } from '@countersign/contract'
import { testPassword, validPayloads } from '@countersign/core/testing'
import { expect } from 'vitest'
import { passkeyLogin, registerPasskey, signPasskeyLogin } from '../src/testing/passkeys.ts'
import { concurrently, describeRaces, race, statusesOf, successesOf } from '../src/testing/race.ts'
import {
  deviceLogin,
  initiatePayment,
  registerDevice,
  signDeviceLogin,
  signIn,
  signInWithDevice,
  type Tokens,
} from '../src/testing/sign-in.ts'
import type { TestAnswer, TestApp } from '../src/testing/test-app.ts'

const MANY = 17

const expectDead = async (
  test: TestApp,
  tokens: readonly Tokens[],
  refresh: 'auth.refresh' | 'mobile.refresh',
): Promise<void> => {
  const answers = await Promise.all(
    tokens.flatMap(({ accessToken, refreshToken }) => [
      test.call('internal.verify', { serviceName: 'billing' }, { token: accessToken }),
      test.call(refresh, { refreshToken }),
    ]),
  )
  expect(statusesOf(answers)).toEqual(answers.length === 0 ? {} : { 401: answers.length })
}

/** Starts the calls in turn, with the removal at the given position. */
const amid = async <T>(work: readonly (() => Promise<T>)[], position: number, odd: () => Promise<unknown>): Promise<T[]> => {
  const before = work.slice(0, position).map((start) => start())
  const removed = odd()
  const after = work.slice(position).map((start) => start())
  await removed
  return Promise.all([...before, ...after])
}

describeRaces(
  'removal during use',
  (app) => {
    race('a removed device: none of its tokens or signatures is accepted', async (round) => {
      const test = app()
      const user = await signInWithDevice(test)
      const { device, signer, deviceToken, token } = user
      const logins = await concurrently(MANY, () => signDeviceLogin(test, user))
      const sessions = await concurrently(MANY, () => deviceLogin(test, user))
      const payments = await concurrently(MANY, () => initiatePayment(test, token))

      const approvals: TestAnswer[] = []
      const pairs: Tokens[] = []
      const keep = (answer: TestAnswer): void => {
        expect([200, 401]).toContain(answer.status)
        pairs.push(...successesOf<Output<'mobile.finishLogin'>>([answer]).map(({ tokens }) => tokens))
      }
      const work = logins.flatMap((login, index) => [
        async () => keep(await test.call('mobile.finishLogin', login)),
        async () => keep(await test.call('mobile.refresh', { refreshToken: sessions[index]?.refreshToken })),
        async () => {
          const { confirmationId = '', challenge = '' } = payments[index] ?? {}
          const input = { confirmationId, deviceId: device.id, signedChallenge: signer.sign(challenge) }
          approvals.push(await test.call('confirmations.verify', input, { token: deviceToken }))
        },
      ])
      await amid(work, round * 10, async () => {
        expect((await test.call('devices.remove', { deviceId: device.id }, { token })).status).toBe(200)
        // Every token issued so far must be refused from now on, even if calls are still running.
        await expectDead(test, [...pairs, ...sessions, user.deviceTokens], 'mobile.refresh')
      })

      await expectDead(test, [...pairs, ...sessions, user.deviceTokens], 'mobile.refresh')
      expect((await test.ask('devices.list', {}, { token })).devices).toEqual([])
      const live = await test.countersign.sessions.list({ email: user.user.email })
      expect(live.map(({ kind }) => kind)).toEqual(['standard'])
      const statuses = await Promise.all(
        payments.map(
          async ({ confirmationId }) => (await test.ask('confirmations.status', { confirmationId }, { token })).status,
        ),
      )
      const seen = statusesOf(approvals)
      expect((seen[200] ?? 0) + (seen[401] ?? 0)).toBe(MANY)
      expect(statuses.filter((status) => status === 'approved')).toHaveLength(seen[200] ?? 0)
      expect(statuses.filter((status) => status === 'pending')).toHaveLength(seen[401] ?? 0)
    })

    race('20 concurrent removals of a device: one succeeds, and the device can be registered again', async () => {
      const test = app()
      const { device, signer, token } = await signInWithDevice(test)
      const answers = await concurrently(20, () => test.call('devices.remove', { deviceId: device.id }, { token }))
      expect(statusesOf(answers)).toEqual({ 200: 1, 404: 19 })
      const again = await registerDevice(test, token, { signer, deviceFingerprint: device.deviceFingerprint })
      expect(again.device.id).not.toBe(device.id)
    })

    race('a removed passkey: none of its sessions or logins is accepted', async (round) => {
      const test = app()
      const { user, token } = await signIn(test)
      const passkey = await registerPasskey(test, token)
      const logins = await concurrently(MANY, () => signPasskeyLogin(test, passkey))
      const sessions = await concurrently(MANY, () => passkeyLogin(test, passkey))
      const pairs: Tokens[] = [...sessions]
      const keep = (answer: TestAnswer): void => {
        expect([200, 401]).toContain(answer.status)
        pairs.push(...successesOf<Tokens>([answer]))
      }
      const work = logins.flatMap((login, index) => [
        async () => keep(await test.call('passkeys.finishLogin', login)),
        async () => keep(await test.call('auth.refresh', { refreshToken: sessions[index]?.refreshToken })),
      ])
      await amid(work, round * 6, async () => {
        expect((await test.call('passkeys.remove', { credentialId: passkey.id }, { token })).status).toBe(200)
        await expectDead(test, [...pairs], 'auth.refresh')
      })
      await expectDead(test, pairs, 'auth.refresh')
      expect((await test.ask('passkeys.list', {}, { token })).credentials).toEqual([])
      const live = await test.countersign.sessions.list({ email: user.email })
      expect(live.map(({ authMethod }) => authMethod)).toEqual(['password'])
    })

    race('20 concurrent removals of a passkey: one succeeds, and the passkey can be registered again', async () => {
      const test = app()
      const { token } = await signIn(test)
      const passkey = await registerPasskey(test, token)
      const answers = await concurrently(20, () => test.call('passkeys.remove', { credentialId: passkey.id }, { token }))
      expect(statusesOf(answers)).toEqual({ 200: 1, 404: 19 })
      await registerPasskey(test, token, passkey)
    })

    race('a user disabled during 50 logins and refreshes: none of the tokens is accepted', async (round) => {
      const test = app()
      const { user, ...device } = await signInWithDevice(test)
      const logins = await concurrently(MANY, () => signDeviceLogin(test, device))
      const sessions = await concurrently(MANY, () => signIn(test, user))
      const standard: Tokens[] = [device.tokens, ...sessions.map(({ tokens }) => tokens)]
      const biometric: Tokens[] = [device.deviceTokens]
      const keep = (answer: TestAnswer): void => {
        expect([200, 401]).toContain(answer.status)
        standard.push(...successesOf<Tokens>([answer]))
      }
      const work = logins.flatMap((login, index) => [
        async () => keep(await test.call('auth.login', { email: user.email, password: testPassword })),
        async () => keep(await test.call('auth.refresh', { refreshToken: sessions[index]?.tokens.refreshToken })),
        async () => {
          const answer = await test.call('mobile.finishLogin', login)
          expect([200, 401]).toContain(answer.status)
          biometric.push(...successesOf<Output<'mobile.finishLogin'>>([answer]).map(({ tokens }) => tokens))
        },
      ])
      const expectAllDead = async () => {
        await expectDead(test, [...standard], 'auth.refresh')
        await expectDead(test, [...biometric], 'mobile.refresh')
      }
      await amid(work, round * 10, async () => {
        await test.countersign.users.disable({ email: user.email })
        await expectAllDead()
      })
      await expectAllDead()
      expect(await test.countersign.sessions.list({ email: user.email })).toEqual([])
      // Enabling the user does not revive any of them.
      await test.countersign.users.enable({ email: user.email })
      await expectAllDead()
    })

    race('a user deleted during logins and new confirmations: no token is accepted, and no content is left', async (round) => {
      const test = app()
      const { user, token, tokens } = await signIn(test)
      const all: Tokens[] = [tokens]
      const body = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval }
      const work = Array.from({ length: 10 }, () => [
        async () => {
          const answer = await test.call('auth.login', { email: user.email, password: testPassword })
          expect([200, 401]).toContain(answer.status)
          all.push(...successesOf<Tokens>([answer]))
        },
        async () => {
          const answer = await test.call('confirmations.initiate', body, { token })
          expect([200, 401, 429]).toContain(answer.status)
        },
      ]).flat()
      await amid(work, round * 10, async () => void (await test.countersign.users.delete({ email: user.email })))
      await expectDead(test, all, 'auth.refresh')
      const left = await test.storage.confirmations.allOfUser(user.id)
      for (const { payload, nonce, status } of left) expect([payload, nonce, status]).toEqual(['', '', 'rejected'])
    })

    race('a password changed during 50 logins with the old one: none of the sessions survives', async (round) => {
      const test = app()
      const { user, tokens } = await signIn(test)
      const password = 'a password that nobody knows yet'
      const pairs: Tokens[] = [tokens]
      const work = Array.from({ length: 50 }, () => async () => {
        const answer = await test.call('auth.login', { email: user.email, password: testPassword })
        expect([200, 401]).toContain(answer.status)
        pairs.push(...successesOf<Tokens>([answer]))
      })
      await amid(work, round * 10 - 5, async () => {
        await test.countersign.users.setPassword({ email: user.email, password })
        await expectDead(test, [...pairs], 'auth.refresh')
      })
      await expectDead(test, pairs, 'auth.refresh')
      expect((await test.call('auth.login', { email: user.email, password: testPassword })).status).toBe(401)
      expect((await test.call('auth.login', { email: user.email, password })).status).toBe(200)
    })
  },
  { pendingConfirmationsPerUser: 50 },
)
