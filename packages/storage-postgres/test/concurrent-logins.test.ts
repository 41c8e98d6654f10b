import { argon2Hasher, createCountersign } from '@countersign/core'
import { aKeyRing, fakeClock } from '@countersign/core/testing'
import { expect, it } from 'vitest'
import { open, openMigrated } from './open-migrated.ts'

const email = 'ada@example.test'
const password = 'correct horse battery staple'

/** Two Countersign instances on one database, which together hash more passwords concurrently than there are free failures. */
const given = async () => {
  const { url, storage } = await openMigrated()
  const clock = fakeClock()
  const keys = { jwtKeys: aKeyRing(), encryptionKeys: aKeyRing() }
  const processOn = (on: typeof storage) =>
    createCountersign({ ...keys, storage: on, clock, passwords: argon2Hasher({ memoryKib: 8, passes: 1, concurrency: 16 }) })
  const [one, other] = [processOn(storage), processOn(await open(url))]
  await one.users.create({ email, password })

  const outcomeOf = (login: Promise<unknown>): Promise<string> =>
    login.then(
      () => 'in',
      (error: unknown) => (error instanceof Error ? error.name : 'unknown'),
    )
  const crowd = async (processes: readonly (typeof one)[], count: number, tried: string) => {
    const logins = Array.from({ length: count }, (_, index) =>
      outcomeOf((processes[index % processes.length] ?? one).auth.login({ email, password: tried })),
    )
    return Object.groupBy(await Promise.all(logins), (outcome) => outcome)
  }
  return { clock, one, other, crowd }
}

it('concurrent wrong passwords in two processes are limited as strictly as sequential attempts', async () => {
  const { clock, one, other, crowd } = await given()
  const first = await crowd([one, other], 100, 'not the password')
  expect(first.InvalidCredentials).toHaveLength(20)
  expect(first.RateLimited).toHaveLength(80)
  for (const wait of [30_000, 60_000, 120_000]) {
    clock.advance(wait)
    const then = await crowd([one, other], 20, 'not the password')
    expect(then.InvalidCredentials).toHaveLength(1)
    expect(then.RateLimited).toHaveLength(19)
  }
})

it('concurrent correct passwords all log in, also right after failures', async () => {
  const { one, crowd } = await given()
  for (let failure = 0; failure < 19; failure += 1) await crowd([one], 1, 'not the password')
  expect((await crowd([one], 40, password)).in).toHaveLength(40)
  expect((await crowd([one], 40, 'not the password')).InvalidCredentials).toHaveLength(20)
})
