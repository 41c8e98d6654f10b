import type { BrowserContext, FrameLocator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { showColours } from '../../../../tools/testing/browser/find-low-contrast.ts'
import { findViolations } from '../../../../tools/testing/browser/find-violations.ts'
import { withoutAuthenticators } from '../../../../tools/testing/browser/virtual-authenticator.ts'
import type { Credentials, PlaygroundServer } from '../../../playground/test/browser/playground-server.ts'

/** A server, and browsers that show its pages. */
interface Stage {
  readonly server: PlaygroundServer
  newContext(): Promise<BrowserContext>
}

/** Opens the page at `/approve/`, or at another address, on a phone, and waits until it shows a screen. */
export const openApprover = async ({ server, newContext }: Stage, given?: BrowserContext, address?: string): Promise<Page> => {
  const context = given ?? (await newContext())
  const page = await context.newPage()
  await page.setViewportSize({ width: 390, height: 844 })
  await withoutAuthenticators(page)
  await page.goto(address ?? `${server.origin}/approve/`)
  await page.locator('h1').waitFor()
  return page
}

/** The page, alone or in a frame. */
type Shown = Page | FrameLocator

/** Signs a person in by password, on a phone that is not enrolled. */
export const signIn = async (page: Shown, { email, password }: Credentials): Promise<void> => {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in with password' }).click()
  await page.getByRole('heading', { name: 'Use this phone to approve' }).waitFor()
}

/** Makes this phone a device of the user. */
export const enrol = async (page: Shown, user: Credentials, code = ''): Promise<void> => {
  await signIn(page, user)
  await page.getByLabel('Code from your administrator').fill(code)
  await page.getByRole('button', { name: 'Use this phone' }).click()
}

/** Opens the page on a phone that is enrolled, with an empty inbox. */
export const openPhone = async (stage: Stage) => {
  const user = await stage.server.createUser()
  const page = await openApprover(stage)
  await enrol(page, user)
  await page.getByText('Nothing waits for you').waitFor()
  return { user, page, ask: (asked = {}) => stage.server.ask(user.id, { ...payment, ...asked }) }
}

const payment = {
  actionType: 'payment_approval',
  actionPayload: { amount: '1250.50', currency: 'EUR', recipient: 'ACME GmbH' },
}

/** Opens the first request of the inbox. */
export const openRequest = async (page: Shown): Promise<void> => {
  await page.getByRole('main').getByRole('listitem').getByRole('link').first().click()
  await button(page, 'Reject').waitFor()
}

/** The lines of the open request. */
export const words = async (page: Shown): Promise<readonly string[]> => {
  const lines = await page.locator('.words dl > div').allInnerTexts()
  return lines.map((line) => line.replace(/\s*\n\s*/g, ': ').replace(/[\u2068\u2069]/g, ''))
}

export const button = (page: Shown, name: string) => page.getByRole('button', { name, exact: true })

/** Refuses the open request in one of the ways of the sheet, with a reason. */
export const refuse = async (page: Page, way: string, reason = ''): Promise<void> => {
  await button(page, 'Reject').click()
  await page.getByLabel('Reason (optional)').fill(reason)
  await confirm(page, way)
}

/** Presses a button of the open sheet. */
export const confirm = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

/** Lists the controls that are too small for a thumb: below 44 pixels in either direction. */
const findSmallControls = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const controls = [...document.querySelectorAll<HTMLElement>('a, button, input, select, textarea, summary')]
    return controls
      .filter((one) => one.checkVisibility() && Math.min(one.offsetWidth, one.offsetHeight) < 44)
      .map((one) => `${one.innerText || one.tagName}: ${one.offsetWidth} × ${one.offsetHeight}`)
  })

/**
 * Fails if the page violates WCAG in either colour scheme, has small controls, or scrolls sideways on the narrowest phone or with
 * doubled text.
 */
export const expectAccessible = async (page: Page): Promise<void> => {
  // During an action, buttons are pale.
  await page.locator('[aria-disabled="true"]').first().waitFor({ state: 'detached' })
  // A tall window shows all controls. In a low one, a bar may cover half of a button, which then counts as too small.
  await page.setViewportSize({ width: 390, height: 3000 })
  expect(await findSmallControls(page)).toEqual([])
  for (const colorScheme of ['light', 'dark'] as const) {
    await showColours(page, colorScheme)
    expect(await findViolations(page)).toEqual([])
  }
  for (const [width, fontSize] of [
    [320, ''],
    [390, '200%'],
  ] as const) {
    await page.setViewportSize({ width, height: 640 })
    const [content, window] = await page.evaluate((size) => {
      document.documentElement.style.fontSize = size
      const { scrollWidth, clientWidth } = document.documentElement
      return [scrollWidth, clientWidth] as const
    }, fontSize)
    expect(content).toBeLessThanOrEqual(window)
    // An open sheet covers the controls of the screen.
    const area = (await page.getByRole('dialog').count()) > 0 ? page.getByRole('dialog') : page
    for (const control of await area.getByRole('button').all()) await control.click({ trial: true })
  }
  await page.evaluate(() => {
    document.documentElement.style.fontSize = ''
  })
  await page.setViewportSize({ width: 390, height: 844 })
}
