import { spawnSync } from 'node:child_process'
import { describe, it } from 'vitest'
import { startRedis } from './start-redis.ts'

/** A Redis server that tests share and do not break. */
export interface SharedRedis {
  readonly url: string
  remove(): Promise<void>
}

const given = process.env.TEST_REDIS_URL

/** Opens the server of `TEST_REDIS_URL` if that is set; otherwise starts a new server. */
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
 * Describes a suite that uses Redis (`openSharedRedis`). Without Redis it is skipped with a message; with `REQUIRE_REDIS=1`
 * it fails.
 */
export const describeWithRedis = (name: string, suite: () => void): void =>
  describeWith(given === undefined ? ['redis-server'] : [], name, suite)

/** Describes a suite that starts, breaks and ends its own servers (`startRedis`), with these programs. */
export const describeWithRedisServers = (name: string, suite: () => void, programs: readonly string[] = []): void =>
  describeWith(['redis-server', ...programs], name, suite)
