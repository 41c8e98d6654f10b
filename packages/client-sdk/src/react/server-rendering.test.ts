import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { createTestClient, logInNewUser } from '../testing/test-client.ts'
import { CountersignProvider, type CountersignProviderProps, type Me, useInbox, useSession } from './index.ts'

const Page = () => {
  const { status, me } = useSession({ suspense: true })
  const { confirmations } = useInbox()
  return `${status} ${me?.user.email} ${confirmations?.length}`
}

/** Renders the page of one person on a server. */
const render = (props: CountersignProviderProps): string =>
  renderToString(createElement(CountersignProvider, props, createElement(Page)))

describe('hooks that a server renders', () => {
  it('show who the server says is signed in, and ask the service nothing', async () => {
    const all = await createTestClient()
    const { user } = await logInNewUser(all)
    const me = await all.client.me()
    all.sent.length = 0
    expect(render({ client: all.client, me })).toBe(`signedIn ${user.email} undefined`)
    expect(render({ client: all.client, me: null })).toBe('signedOut undefined undefined')
    expect(render({ client: all.client })).toBe('loading undefined undefined')
    expect(all.sent).toEqual([])
  })

  it('never show a person to the next one whom the same process renders with the same client', async () => {
    const all = await createTestClient()
    await logInNewUser(all)
    const me = await all.client.me()
    const other: Me = { ...me, user: { ...me.user, email: 'other@countersign.test' } }
    render({ client: all.client, me })
    expect(render({ client: all.client, me: other })).toBe('signedIn other@countersign.test undefined')
  })

  it('name the missing provider', () => {
    expect(() => renderToString(createElement(Page))).toThrow(/CountersignProvider/)
  })
})
