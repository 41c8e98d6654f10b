import { createTestUser, testPassword } from '@countersign/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { drivesAll } from '../../../../../tools/testing/engines/describe-engine.ts'
import type { Tab } from '../../../../../tools/testing/engines/engine.ts'
import { age, begin, type EnginePages, list, loaded, logIn, REFRESH, titleOf } from './engine-pages.ts'

const HOURS = 3_600_000
const ROUNDS = drivesAll ? 12 : 5
/** For tests that hang. A busy machine needs long for many renewals. */
const LIMIT = 180_000

/** Walks with one session that several tabs share. */
export const walkTabs = (open: () => EnginePages): void => {
  describe('the session of several tabs', () => {
    let pages: EnginePages
    let one: Tab
    let other: Tab
    const refreshes = () => pages.requests.filter((line) => line === REFRESH).length
    const fulfilled = (count: number) => Array.from({ length: count }, () => 'fulfilled')

    beforeEach(async () => {
      pages = open()
      one = await pages.openTab()
      // The tokens of earlier tests belong to another user.
      await one.evaluate(() => sdk.browserTokenStore().remove())
      other = await pages.openTab()
      await begin(one)
      await begin(other)
      await logIn(pages, one)
      expect(await list(other)).toEqual(['fulfilled'])
      pages.requests.length = 0
    })
    afterEach(async () => {
      await one.close()
      await other.close()
    })

    it('survives many renewals by two tabs at once', { timeout: LIMIT }, async () => {
      for (let round = 1; round <= ROUNDS; round += 1) {
        pages.test.clock.advance(9 * HOURS)
        expect((await Promise.all([list(one, 5), list(other, 5)])).flat()).toEqual(fulfilled(10))
        expect(refreshes()).toBe(round)
      }
      for (let round = 1; round <= ROUNDS; round += 1) {
        await age(one)
        expect((await Promise.all([list(one, 5), list(other, 5)])).flat()).toEqual(fulfilled(10))
        expect(refreshes()).toBe(ROUNDS + round)
      }
    })

    it('survives many renewals by three tabs at once', { timeout: LIMIT }, async () => {
      const third = await pages.openTab()
      await begin(third)
      for (let round = 1; round <= ROUNDS; round += 1) {
        pages.test.clock.advance(9 * HOURS)
        expect((await Promise.all([one, other, third].map((tab) => list(tab, 5)))).flat()).toEqual(fulfilled(15))
        expect(refreshes()).toBe(round)
      }
      await third.close()
    })

    it('ends in all of them with a logout in one', async () => {
      await one.evaluate(async () => void (await client.auth.logout()))
      await expect.poll(() => titleOf(other)).toBe('elsewhere')
      expect(await titleOf(one)).toBe('logout')
      expect(await list(other)).toEqual(['SESSION_ENDED'])
      expect(await titleOf(other)).toBe('elsewhere')
    })

    it('is not taken over by the tab of another user', async () => {
      const { email, id } = await createTestUser(pages.test)
      const given = { email, password: testPassword }
      await one.evaluate(async (credentials) => void (await client.auth.login(credentials)), given)
      await expect.poll(() => titleOf(other)).toBe(`changed to ${id}`)
      expect(await list(other)).toEqual(['USER_CHANGED'])
      expect(await list(one)).toEqual(['fulfilled'])
    })

    it('survives a page that is left in the middle of a renewal, by a link, two reloads or a closed tab', async () => {
      const ways = [
        (tab: Tab) => tab.evaluate(() => Object.assign(document.createElement('a'), { href: '/health' }).click()),
        async (tab: Tab) => {
          await tab.reload()
          await tab.reload()
        },
        (tab: Tab) => tab.close(),
      ]
      for (const leave of ways) {
        const left = await pages.openTab()
        await begin(left)
        await age(one)
        pages.requests.length = 0
        // The service renews the tokens, and the page is gone before the answer.
        pages.unanswered.add('/api/v1/auth/refresh')
        await left.evaluate(() => void client.devices.list().catch(() => undefined))
        await expect.poll(refreshes).toBe(1)
        pages.unanswered.clear()
        await leave(left)
        expect((await Promise.all([list(other, 3), list(one, 3)])).flat()).toEqual(fulfilled(6))
        // A browser may keep the lock of a page that was left for some seconds. The key of the renewal is valid for a minute.
        await expect.poll(refreshes).toBe(2)
      }
      expect(await titleOf(one)).toBe('')
    })

    it('is used while the tab that renews it has been stopped, and renewed once that tab goes on', async ({ skip }) => {
      const third = await pages.openTab()
      const pid = await third.findProcess()
      if (pid === (await other.findProcess())) skip('this browser runs all tabs in one process')
      await begin(third)
      await age(one)
      pages.unanswered.add('/api/v1/auth/refresh')
      await third.evaluate(() => void client.devices.list().catch(() => undefined))
      await expect.poll(refreshes).toBe(1)
      process.kill(pid, 'SIGSTOP')
      pages.unanswered.clear()
      try {
        expect((await Promise.all([list(other, 2), list(one, 2)])).flat()).toEqual(fulfilled(4))
        expect(refreshes()).toBe(1)
      } finally {
        process.kill(pid, 'SIGCONT')
      }
      await third.reload()
      await loaded(third)
      await begin(third)
      expect((await Promise.all([list(other), list(one), list(third)])).flat()).toEqual(fulfilled(3))
      await expect.poll(refreshes).toBe(2)
    })

    it('is not shown by a page to which a person comes back after a logout elsewhere', async () => {
      // The page of the script may be gone before the script has ended.
      const goBack = () => other.evaluate(() => history.back()).catch(() => undefined)
      const start = async () => {
        await loaded(other)
        // A page that was kept has its client; a page that was loaded again has a new one.
        if (await other.evaluate(() => !('client' in globalThis))) await begin(other)
      }
      await other.goto(`${pages.origin.replace('localhost', '127.0.0.1')}/health`)
      await goBack()
      await start()
      expect(await list(other)).toEqual(['fulfilled'])
      await other.evaluate(() => history.forward()).catch(() => undefined)
      await expect.poll(() => other.evaluate(() => location.pathname).catch(() => '')).toBe('/health')
      await one.evaluate(async () => void (await client.auth.logout()))
      await goBack()
      await start()
      expect(await list(other)).toEqual(['SESSION_ENDED'])
    })
  })
}
