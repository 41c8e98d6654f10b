import { spawnSync } from 'node:child_process'
import { describe, it } from 'vitest'
import { startRedis } from './start-redis.ts'

/** A Redis for tests that only use it, and not as the only ones. */
export interface SharedRedis {
  readonly url: string
  remove(): Promise<void>
}

const given = process.env.TEST_REDIS_URL

/** The server of `TEST_REDIS_URL`, where that is set; otherwise a fresh one. */
export const openSharedRedis = async (): Promise<SharedRedis> =>
  given === undefined ? startRedis() : { url: given, remove: async () => {} }

const isInstalled = (program: string): boolean => spawnSync(program, ['--version']).error === undefined

const describeWith = (programs: readonly string[], name: string, suite: () => void): void => {
  const missing = programs.filter((program) => !isInstalled(program))
  if (missing.length === 0) {
    describe(name, suite)
    return
  }
  const reason = `${missing.join(' and ')} not found: install it (Debian: apt-get install redis-server openssl)`
  if (process.env.REQUIRE_REDIS !== '1') console.warn(`${name}: NOT TESTED, ${reason}`)
  describe(name, () => {
    it('has what it needs', ({ skip }) => {
      if (process.env.REQUIRE_REDIS === '1') throw new Error(reason)
      skip(reason)
    })
  })
}

/**
 * A suite that uses a Redis (`openSharedRedis`). Where there is none it says so and is skipped; with `REQUIRE_REDIS=1` it
 * fails.
 */
export const describeWithRedis = (name: string, suite: () => void): void =>
  describeWith(given === undefined ? ['redis-server'] : [], name, suite)

/** The same for a suite that starts, breaks and ends servers of its own (`startRedis`), with these programs. */
export const describeWithRedisServers = (name: string, suite: () => void, programs: readonly string[] = []): void =>
  describeWith(['redis-server', ...programs], name, suite)
