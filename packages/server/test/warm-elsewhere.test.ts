import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MigratedStorage } from '@countersign/core'
import { createTestCountersign, type TestCountersign } from '@countersign/core/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createPostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { createService, type Service } from '../src/app.ts'
import { openStorage } from '../src/open-storage.ts'
import { type DeviceUser, signIn, signInWithDevice } from '../src/testing/sign-in.ts'
import { createTestApp, type TestApp } from '../src/testing/test-app.ts'

/**
 * Answers that come from memory, in the very turn in which they are asked for, end with what another process ends. Two
 * storages on one database share no more than two processes do.
 */

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const A_SECOND = 1000

const databases = [
  {
    name: 'SQLite',
    isToldAtOnce: true,
    open: async () => {
      const directory = await mkdtemp(join(tmpdir(), 'countersign-elsewhere-'))
      return { url: `sqlite:${join(directory, 'test.db')}`, drop: () => rm(directory, { recursive: true }) }
    },
  },
  { name: 'PostgreSQL', isToldAtOnce: false, open: createPostgresDatabase },
] as const

describe.each(databases)('what /internal/verify tells from memory, on $name,', ({ isToldAtOnce, open }) => {
  let here: TestApp
  let service: Service
  let elsewhere: TestCountersign
  const closing: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const { url, drop } = await open()
    const opened: MigratedStorage[] = []
    for (const _ of ['here', 'elsewhere']) opened.push(await openStorage(url))
    const [storage, other] = opened
    if (storage === undefined || other === undefined) throw new Error('there are two')
    closing.push(
      () => storage.close(),
      () => other.close(),
      () => drop(),
    )
    await storage.migrate()
    here = createTestApp({ storage })
    service = createService(here.countersign, { version: '1.2.3' })
    elsewhere = createTestCountersign({ ...here, storage: other })
  })
  afterAll(async () => {
    for (const close of closing) await close()
  })

  const rawHeadersOf = (token: string) => ['Host', 'x', 'Authorization', `Bearer ${token}`, 'X-Service-Name', 'billing']
  const ask = (token: string) =>
    service.answerDirectly({ method: 'GET', url: '/internal/verify', rawHeaders: rawHeadersOf(token) })
  const statusOf = async (token: string) => (await ask(token))?.status

  /** Asks until the answer comes from memory. */
  const warm = async (token: string): Promise<void> => {
    await expect
      .poll(async () => {
        const answer = ask(token)
        await answer
        return answer instanceof Promise ? undefined : answer?.status
      })
      .toBe(200)
  }

  /** Asks again and again; resolves once it is so, which must be soon enough. */
  const expectSoon = async (isSo: () => Promise<boolean>): Promise<void> => {
    const changedAt = performance.now()
    while (!(await isSo())) {
      expect(isToldAtOnce, 'a SQLite database is asked at each request').toBe(false)
      expect(performance.now() - changedAt).toBeLessThan(A_SECOND)
      await new Promise(setImmediate)
    }
  }
  const expectRefused = (token: string) => expectSoon(async () => (await statusOf(token)) === 401)

  const given = async (): Promise<DeviceUser> => {
    const user = await signInWithDevice(here)
    for (const token of [user.token, user.deviceToken]) await warm(token)
    return user
  }

  it('ends where the other process logs out, and for that session only', async () => {
    const { token, deviceToken, tokens } = await given()
    const caller = await elsewhere.countersign.auth.authenticate({ token })
    await elsewhere.countersign.auth.logout({ caller, refreshToken: tokens.refreshToken })
    await expectRefused(token)
    expect(await statusOf(deviceToken)).toBe(200)
  })

  it('ends where a refresh token is spent again', async () => {
    const { token, tokens } = await given()
    const { auth } = elsewhere.countersign
    await auth.refresh({ refreshToken: tokens.refreshToken })
    await expect(auth.refresh({ refreshToken: tokens.refreshToken })).rejects.toThrow()
    await expectRefused(token)
  })

  it('ends where the device is removed', async () => {
    const { token, deviceToken, device } = await given()
    await elsewhere.countersign.devices.revoke({ id: device.id })
    await expectRefused(deviceToken)
    expect(await statusOf(token)).toBe(200)
  })

  it('ends where the user is disabled, and does not begin again where they are enabled', async () => {
    const { token, deviceToken, user } = await given()
    await elsewhere.countersign.users.disable({ email: user.email })
    for (const one of [token, deviceToken]) await expectRefused(one)
    await elsewhere.countersign.users.enable({ email: user.email })
    await warm((await signIn(here, user)).token)
    for (const one of [token, deviceToken]) expect(await statusOf(one)).toBe(401)
  })

  it('ends where the password is set anew', async () => {
    const { token, user } = await given()
    await elsewhere.countersign.users.setPassword({ email: user.email, password: 'another good password' })
    await expectRefused(token)
  })

  it('says the permissions that the user has by then', async () => {
    const { token, user } = await given()
    const permissionsAre = (permissions: readonly string[]) =>
      expectSoon(async () => {
        const { claims } = JSON.parse((await ask(token))?.body ?? '') as { claims: { permissions: readonly string[] } }
        return JSON.stringify(claims.permissions) === JSON.stringify(permissions)
      })
    await elsewhere.countersign.users.grant({ email: user.email, permissions: ['project.approve'] })
    await permissionsAre(['project.approve'])
    await warm(token)
    await elsewhere.countersign.users.revoke({ email: user.email, permissions: ['project.approve'] })
    await permissionsAre([])
  })

  it('ends where a service token is revoked', async () => {
    const { id, token } = await elsewhere.countersign.serviceTokens.issue({ service: 'billing' })
    await warm(token)
    await elsewhere.countersign.serviceTokens.revoke({ id })
    await expectRefused(token)
  })
})
