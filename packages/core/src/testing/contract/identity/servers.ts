import { describe, expect, it } from 'vitest'
import { randomUuid, systemRandom } from '../../../shared/random.ts'
import type { FullStorage } from '../../../storage.ts'

/** The promises of `ServerStore`. */
export const serversContract = (storage: () => FullStorage): void => {
  describe('servers', () => {
    // Years after the times of all other tests, because servers are forgotten by time.
    const day = 86_400_000
    const now = 40_000 * day
    const aServer = (seenAt: number) => ({ id: randomUuid(systemRandom), seenAt, settings: '{}' })

    it('are listed if they announced themselves after a given time, with their last announcement', async () => {
      const { servers } = storage()
      const [one, two] = [aServer(now), aServer(now + 1)]
      await servers.announce(one, 0)
      await servers.announce(two, 0)
      expect(await servers.since(now + 1)).toEqual([two])
      const changed = { ...one, seenAt: now + 2, settings: '{"changed":true}' }
      await servers.announce(changed, 0)
      expect(await servers.since(now)).toEqual([changed, two].sort((a, b) => (a.id < b.id ? -1 : 1)))
    })

    it('are removed when they stop, and when they have announced nothing for a long time', async () => {
      const { servers } = storage()
      const [stopped, gone, running] = [aServer(now + day), aServer(now + day), aServer(now + 2 * day)]
      await servers.announce(stopped, 0)
      await servers.announce(gone, 0)
      await servers.forget(stopped.id)
      expect((await servers.since(now + day)).map(({ id }) => id)).toEqual([gone.id])
      await servers.announce(running, now + day + 1)
      expect(await servers.since(0)).toEqual([running])
    })
  })
}
