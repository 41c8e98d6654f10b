import { createTestUser, testPassword } from '@countersign/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEngine } from '../../../../tools/testing/engines/describe-engine.ts'
import type { Engine, Tab } from '../../../../tools/testing/engines/engine.ts'
import { startEngine } from '../../../../tools/testing/engines/start-engine.ts'
import { type ServedApprover, serveApprover } from './serve-approver.ts'

/** Opens an address. A driver may open a tab behind another one, where the page would ask the service for nothing. */
const visit = async (tab: Tab, address: string): Promise<void> => {
  await tab.goto(address)
  await tab.reload()
  await tab.evaluate(() => {
    Object.defineProperty(document, 'hidden', { get: () => false })
    document.dispatchEvent(new Event('visibilitychange'))
  })
}

/** Waits until the page shows a text. */
const shows = (tab: Tab, text: string): Promise<void> =>
  expect.poll(() => tab.evaluate(() => document.body.innerText.replace(/[\u2068\u2069]/g, ''))).toContain(text)

/** Presses the first button or link with a text in a part of the page, as soon as there is one. */
const press = (tab: Tab, text: string, part = 'body'): Promise<void> =>
  expect
    .poll(() =>
      tab.evaluate(
        ([wanted, within]) => {
          const all = [...document.querySelectorAll<HTMLElement>(`${within} :is(button, a):not([aria-disabled="true"])`)]
          const found = all.find((one) => one.innerText.includes(wanted))
          found?.click()
          return found !== undefined
        },
        [text, part] as const,
      ),
    )
    .toBe(true)

/** Types into the field of this name. */
const type = (tab: Tab, name: string, text: string): Promise<void> =>
  tab.evaluate(
    ([field, typed]) => {
      const input = document.querySelector<HTMLInputElement>(`[name="${field}"]`)
      if (input === null) throw new Error(`There is no field ${field}`)
      input.value = typed
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    },
    [name, text] as const,
  )

for (const name of ['Firefox', 'WebKit'] as const) {
  describeEngine(name, `the page at /approve/ in ${name}`, () => {
    let server: ServedApprover
    let engine: Engine
    beforeAll(async () => {
      ;[server, engine] = await Promise.all([serveApprover(), startEngine(name)])
    })
    afterAll(async () => {
      await engine?.close()
      await server?.close()
    })

    it('a person signs in, enrols, approves by a number, reads the receipt, and rejects after a reload', async () => {
      const { test, origin } = server
      const { email } = await createTestUser(test)
      const tab = await engine.openTab()
      await visit(tab, `${origin}/approve/`)
      await shows(tab, 'Sign in with password')
      await type(tab, 'email', email)
      await type(tab, 'password', testPassword)
      await press(tab, 'Sign in with password')
      await shows(tab, `Signed in as ${email}`)
      await press(tab, 'Use this phone')
      await shows(tab, 'Nothing waits for you')

      const { accessToken: token } = await test.countersign.auth.login({ email, password: testPassword })
      const ask = (recipient: string, asked = {}) =>
        test.ask(
          'confirmations.initiate',
          { actionType: 'payment_approval', actionPayload: { amount: 1250.5, currency: 'EUR', recipient }, ...asked },
          { token, headers: { 'countersign-extended': '1' } },
        )
      const { confirmationId, matchNumber = '' } = await ask('ACME GmbH', { numberMatching: true })
      await press(tab, 'ACME GmbH')
      await shows(tab, '1,250.50 EUR')
      await type(tab, 'matchNumber', matchNumber)
      await press(tab, 'Approve')
      await shows(tab, 'Your signature arrived')
      expect(await test.ask('confirmations.status', { confirmationId }, { token })).toMatchObject({ status: 'approved' })
      await press(tab, 'See the receipt')
      await shows(tab, 'Genuine')

      // The key and the session are still there.
      await visit(tab, `${origin}/approve/#/`)
      await shows(tab, 'Nothing waits for you')
      await ask('Nobody Ltd')
      await press(tab, 'Nobody Ltd')
      await press(tab, 'Reject')
      await press(tab, 'Reject', 'dialog[open]')
      await shows(tab, 'Nothing happens')
      await press(tab, 'History')
      await shows(tab, 'Rejected')
      await tab.close()
    })
  })
}
