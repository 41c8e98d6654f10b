import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { keepScreenshots, widths } from '../../../../tools/testing/browser/screenshots.ts'
import {
  askForPayment,
  createPasskey,
  type Part,
  type Playground,
  registerBrowser,
  signInWithDevice,
  signInWithPassword,
} from './playground.ts'
import { describeOnStage } from './stage.ts'

/** Presses Tab until the focus is on an element with this role and name. */
const tabTo = async ({ region }: Part, role: 'button' | 'textbox', name: string): Promise<void> => {
  const page = region.page()
  for (let pressed = 0; pressed < 100; pressed++) {
    await page.keyboard.press('Tab')
    const reached = page.locator(':focus').and(region.getByRole(role, { name, exact: true }))
    if ((await reached.count()) === 1) return
  }
  throw new Error(`the Tab key does not lead to ${name}`)
}

const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  const { content, window } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }))
  expect(content).toBeLessThanOrEqual(window)
}

const showPart = async ({ page }: Playground, part: 'Web' | 'Phone' | 'Calls'): Promise<void> => {
  await page.getByRole('navigation', { name: 'View' }).getByRole('link', { name: part }).click()
}

describeOnStage('the playground page', (stage) => {
  it('takes a person from sign-in to approval by keyboard alone', async () => {
    const here = await stage.open()
    const { page, web, phone } = here
    const user = await stage.server.createUser()
    await tabTo(web, 'textbox', 'E-mail')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(user.email)
    await tabTo(web, 'textbox', 'Password')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(user.password)
    await page.keyboard.press('Enter')
    await expect.poll(web.signedIn).toBe('Signed in with a password')

    await tabTo(phone, 'button', 'Register this browser')
    await page.keyboard.press('Enter')
    await phone.button('Sign in with this device').waitFor()
    await tabTo(phone, 'button', 'Sign in with this device')
    await page.keyboard.press('Space')
    await expect.poll(phone.signedIn).toBe('Signed in with the key of this device')

    await tabTo(web, 'button', 'Ask for approval')
    await page.keyboard.press('Enter')
    await phone.button('Approve').waitFor()
    await tabTo(phone, 'button', 'Approve')
    await page.keyboard.press('Enter')
    await expect.poll(phone.done).toBe('Approved.')
    await tabTo(phone, 'button', 'Use it again')
    await page.keyboard.press('Enter')
    await expect.poll(phone.failed).toBe('Action confirmation token already used (410).')
  })

  it.each(widths)('fits a screen %i pixels wide, whatever it shows', async (width) => {
    const here = await stage.openWith({})
    const { page, web, phone } = here
    await page.setViewportSize({ width, height: 844 })
    await expectNoSidewaysScroll(page)
    if (width === widths[0]) await keepScreenshots(page, 'signed-out')

    await signInWithPassword(here, await stage.server.createUser())
    await createPasskey(here)
    await askForPayment(here, { amount: '1250.50', recipient: 'A recipient with a name that is rather long'.repeat(3) })
    for (const token of ['Access token', 'Refresh token']) await web.region.locator('summary', { hasText: token }).click()
    await expectNoSidewaysScroll(page)

    if (!(await phone.region.isVisible())) await showPart(here, 'Phone')
    await registerBrowser(here, { deviceName: 'A browser with a name that is rather long'.repeat(3) })
    await signInWithDevice(phone)
    await phone.button('Approve').waitFor()
    await phone.region.locator('summary', { hasText: 'Public key' }).click()
    await expectNoSidewaysScroll(page)

    await showPart(here, 'Calls')
    await page
      .getByRole('region', { name: 'Calls' })
      .locator('details')
      .evaluateAll((calls) => {
        for (const call of calls) (call as HTMLDetailsElement).open = true
      })
    await expectNoSidewaysScroll(page)
    if (width === widths[0]) {
      await keepScreenshots(page, 'calls')
      await page.emulateMedia({ colorScheme: 'dark' })
      await showPart(here, 'Phone')
      await keepScreenshots(page, 'phone-dark')
    }
  })

  it('explains at an IP address where passkeys work and links there', async () => {
    const { page } = await stage.open()
    const { port } = new URL(stage.server.origin)
    await page.goto(`http://127.0.0.1:${port}/playground`)
    await page.getByRole('note').getByRole('link').click()
    await page.waitForURL(`${stage.server.origin}/playground`)
  })

  it('does not exist in production', async () => {
    const origin = await stage.server.startTwin({ NODE_ENV: 'production' })
    const context = await stage.newContext()
    for (const path of ['/playground', '/playground/playground.js', '/playground/style.css', '/playground/settings.json']) {
      const answer = await context.request.get(`${origin}${path}`)
      expect([path, answer.status()]).toEqual([path, 404])
    }
  })
})
