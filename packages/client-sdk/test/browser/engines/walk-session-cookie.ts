import { createTestUser, testPassword } from '@countersign/core/testing'
import { describe, expect, it } from 'vitest'
import type { Tab } from '../../../../../tools/testing/engines/engine.ts'
import { hours } from '../../../src/testing/clocks.ts'
import { startRenderingProcess } from '../../start-rendering-process.ts'
import { type EnginePages, REFRESH } from './engine-pages.ts'

const ROUNDS = 5
/** For tests that hang. A busy machine needs long for many renewals. */
const LIMIT = 180_000
const permissions = Array.from({ length: 200 }, (_, index) => `area_${index}.approve`)

/** Posts from a page as a script of the page does. */
const post = (tab: Tab, path: string, body: object): Promise<number> =>
  tab.evaluate(async ([to, content]) => (await fetch(to, { method: 'POST', body: content })).status, [
    path,
    JSON.stringify(body),
  ] as const)

/** Asks the server three times at once who is signed in. Resolves with the emails. */
const emailsIn = (tab: Tab): Promise<readonly (string | null)[]> =>
  tab.evaluate(() =>
    Promise.all(
      [1, 2, 3].map(async () => {
        const { user } = (await (await fetch('/user')).json()) as { user: { user: { email: string } } | null }
        return user ? user.user.email : null
      }),
    ),
  )

/** Walks with the sealed cookie of an app that runs as two processes. */
export const walkSessionCookie = (open: () => EnginePages): void => {
  describe('the sealed cookie of an app with two servers', () => {
    it(
      'is read by no script, renewed by both servers at once, and cleared in both tabs by signing out in one',
      async () => {
        const pages = open()
        const servers = await Promise.all([startRenderingProcess(pages.origin), startRenderingProcess(pages.origin)])
        // Browsers send the cookies of a host to all of its ports.
        const tabs = await Promise.all(servers.map(() => pages.openTab()))
        const [one, other] = tabs
        if (!one || !other) throw new Error('There are two tabs')
        await Promise.all(tabs.map((tab, index) => tab.goto(`${servers[index]?.url}/user`)))
        const { email } = await createTestUser(pages.test, { permissions })
        expect(await post(one, '/login', { email, password: testPassword })).toBe(200)
        expect(await one.evaluate(() => document.cookie)).toBe('')
        pages.requests.length = 0
        const started = pages.test.clock.now()
        for (let round = 1; round <= ROUNDS; round += 1) {
          pages.test.clock.advance(hours(8))
          await Promise.all(servers.map((server) => server.advanceTo(pages.test.clock.now() - started)))
          expect(await Promise.all(tabs.map(emailsIn))).toEqual(Array(2).fill(Array(3).fill(email)))
          expect(pages.requests.filter((line) => line === REFRESH).length).toBeGreaterThanOrEqual(round)
        }
        expect(pages.test.logger.entries.filter(({ event }) => event === 'refresh_token_reused')).toEqual([])

        expect(await post(other, '/logout', {})).toBe(200)
        expect(await emailsIn(one)).toEqual([null, null, null])
        await Promise.all(tabs.map((tab) => tab.close()))
      },
      LIMIT,
    )
  })
}
