import { describe, expect, it, vi } from 'vitest'
import type { Client } from '../client.ts'
import type { ClientEvents } from '../session/events.ts'
import { hours, pass, withFakeDate } from '../testing/clocks.ts'
import { sharedTabs } from '../testing/shared-tabs.ts'
import { broken, createTestClient, logInNewUser } from '../testing/test-client.ts'

withFakeDate()

const LOGOUT = 'POST /api/v1/auth/logout'
const REFRESH = 'POST /api/v1/auth/refresh'

/** Listens to every event, as a page with several components does. */
const listen = ({ on }: Client): readonly (() => void)[] =>
  (['signedOut', 'signedIn', 'userChanged', 'notKept'] satisfies (keyof ClientEvents)[]).map((name) => on(name, () => {}))

/** Five tabs of one session, each with four listeners. */
const given = async () => {
  const tab = sharedTabs()
  const all = await createTestClient({ store: tab() })
  const { user } = await logInNewUser(all)
  const others = Array.from({ length: 4 }, () => all.another({ store: tab() }))
  const tabs = [all.client, ...others]
  for (const client of tabs) listen(client)
  await Promise.all(tabs.map((client) => client.accessToken()))
  const sessions = () => all.test.countersign.sessions.list({ email: user.email })
  /** Waits until no tab has anything to do. */
  const settle = async () => {
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  all.sent.length = 0
  return { ...all, tab, tabs, user, sessions, settle }
}

const reused = ({ test }: Awaited<ReturnType<typeof given>>) =>
  test.logger.entries.filter(({ event }) => event === 'refresh_token_reused')

describe('a sign-out in one of five tabs with four listeners each', () => {
  it('sends one request', async () => {
    const all = await given()
    await all.client.auth.logout()
    await all.settle()
    expect(all.sent).toEqual([LOGOUT])
    expect(await all.sessions()).toEqual([])
  })

  it('renews an expired access token once, and raises no alarm of a stolen token', async () => {
    const all = await given()
    pass(all, hours(9))
    await all.client.auth.logout()
    await all.settle()
    expect(all.sent).toEqual([LOGOUT, REFRESH, LOGOUT])
    expect(reused(all)).toEqual([])
    expect(await all.sessions()).toEqual([])
  })

  it('renews an expired access token with one key, if the platform has no locks', async () => {
    const all = await given()
    vi.stubGlobal('navigator', {})
    pass(all, hours(9))
    await all.client.auth.logout()
    await all.settle()
    expect(reused(all)).toEqual([])
    expect(await all.sessions()).toEqual([])
  })

  it('raises no alarm if a renewal is under way in another tab', async () => {
    const all = await given()
    pass(all, hours(9))
    const [, other] = all.tabs
    await Promise.all([other?.devices.list().catch(() => undefined), all.client.auth.logout()])
    await all.settle()
    expect(reused(all)).toEqual([])
    expect(await all.sessions()).toEqual([])
  })

  it('sends one request if all tabs sign out at the same time', async () => {
    const all = await given()
    await Promise.all(all.tabs.map(({ auth }) => auth.logout()))
    await all.settle()
    expect(all.sent).toEqual([LOGOUT])
  })

  it('is finished by one tab, if the tab that signed out had no network', async () => {
    const all = await given()
    all.faults.push(broken)
    await expect(all.client.auth.logout()).rejects.toMatchObject({ code: 'LOGOUT_PENDING' })
    await all.settle()
    expect(all.sent).toEqual([LOGOUT])
    all.another({ store: all.tab() })
    await expect.poll(all.sessions).toEqual([])
    expect(all.sent).toEqual([LOGOUT, LOGOUT])
  })

  it('is tried again with the renewed tokens if the service answers only the renewal', async () => {
    const all = await given()
    pass(all, hours(9))
    all.faults.push(all.test.app.fetch, all.test.app.fetch, broken)
    await expect(all.client.auth.logout()).rejects.toMatchObject({ code: 'LOGOUT_PENDING' })
    pass(all, hours(1))
    all.another({ store: all.tab() })
    await expect.poll(all.sessions).toEqual([])
    expect(all.sent).toEqual([LOGOUT, REFRESH, LOGOUT, LOGOUT])
    expect(reused(all)).toEqual([])
  })
})

describe('a client with several listeners', () => {
  it('follows its store once, until the last listener is removed', async () => {
    const subscribed: string[] = []
    const subscribe = () => {
      subscribed.push('on')
      return () => void subscribed.push('off')
    }
    const { client } = await createTestClient({ store: { ...sharedTabs()(), subscribe } })
    const [first, ...others] = listen(client)
    for (const stop of [...others, ...others]) stop()
    expect(subscribed).toEqual(['on'])
    first?.()
    expect(subscribed).toEqual(['on', 'off'])
    listen(client)
    expect(subscribed).toEqual(['on', 'off', 'on'])
  })
})
