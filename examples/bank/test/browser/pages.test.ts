import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { showColours } from '../../../../tools/testing/browser/find-low-contrast.ts'
import { findViolations } from '../../../../tools/testing/browser/find-violations.ts'
import { describeInBrowser, openBrowser } from '../../../../tools/testing/browser/open-browser.ts'
import { demoPassword } from '../../demo-customers.ts'
import { startTestBank, type TestBank } from '../../testing/test-bank.ts'

describeInBrowser('the pages of the bank', () => {
  let bank: TestBank
  let browser: Browser
  const complaints: string[] = []
  beforeAll(async () => {
    ;[bank, browser] = await Promise.all([startTestBank(), openBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await bank?.close()
  })

  const open = async (context: BrowserContext, path: string): Promise<Page> => {
    const page = await context.newPage()
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${bank.url}${path}`)
    return page
  }

  /** Signs a customer in at the bank. */
  const openBank = async (name: string) => {
    const context = await browser.newContext()
    const page = await open(context, '/')
    await page.getByLabel('Email').fill(`${name}@example.com`)
    await page.getByLabel('Password').fill(demoPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Password').waitFor({ state: 'hidden' })
    await page
      .getByText(/€[\d,.]+$/)
      .first()
      .waitFor()
    return { context, page }
  }

  /** Registers the browser of a customer as the phone, on the approver of the bank. */
  const openPhone = async (context: BrowserContext, name: string): Promise<Page> => {
    const phone = await open(context, '/approve/')
    await phone.getByLabel('E-mail').fill(`${name}@example.com`)
    await phone.getByLabel('Password', { exact: true }).fill(demoPassword)
    await phone.getByRole('button', { name: 'Sign in with password' }).click()
    await phone.getByRole('button', { name: 'Use this phone' }).click()
    await phone.getByText('Nothing waits for you').waitFor()
    return phone
  }

  const pay = async (page: Page, recipient: string, euros: string) => {
    await page.getByLabel('To', { exact: true }).fill(recipient)
    await page.getByLabel('Amount in EUR').fill(euros)
    await page.getByRole('button', { name: 'Pay' }).click()
  }
  /** Opens the first request of the inbox, and presses a button on its page. */
  const press = async (phone: Page, name: string) => {
    await phone.getByRole('main').getByRole('listitem').getByRole('link').first().click()
    await phone.getByRole('button', { name, exact: true }).click()
  }
  const line = (page: Page, ...texts: readonly string[]) =>
    texts.reduce((found, hasText) => found.filter({ hasText }), page.getByRole('listitem')).waitFor()
  const balance = (page: Page) => page.locator('.balance').textContent()

  it('the page says which phone is registered, what waits and what is booked, and the balance is lower after an approval with the approver', async () => {
    const { context, page } = await openBank('ada')
    await page.getByText('No phone is registered').waitFor()
    await pay(page, 'Ship Yard', '60000')
    await page.locator('#order').getByRole('alert').getByText('not enough of them have a phone yet').waitFor()
    const phone = await openPhone(context, 'ada')
    await line(page, 'Chrome on', 'Approves payments. Registered today')

    await pay(page, 'Corner Shop', '12.50')
    await line(page, 'Corner Shop', '€12.50', 'Booked today', 'no approval needed')
    expect(await balance(page)).toBe('€999,987.50')

    await pay(page, 'Bolt Works', '1250')
    await line(page, 'Bolt Works', '€1,250.00', 'Waits for your approval on your phone')
    await page.getByText('€1,250.00 waits for approval and is not booked yet').waitFor()
    expect(await balance(page)).toBe('€999,987.50')
    const status = page.getByRole('status')
    await status.getByText('€1,250.00 to Bolt Works waits for approval.').waitFor()
    expect(await page.getByRole('link', { name: 'Review and approve' }).getAttribute('href')).toContain('/approve/#/request/')
    await press(phone, 'Approve')
    await line(page, 'Bolt Works', '€1,250.00', 'Booked today', 'approved on the phone')
    await status.getByText('€1,250.00 to Bolt Works is booked.').waitFor()
    expect(await balance(page)).toBe('€998,737.50')

    await phone.goto(`${bank.url}/approve/#/`)
    await pay(page, 'Bolt Works', '2000')
    await press(phone, 'Reject')
    await phone.getByRole('dialog').getByRole('button', { name: 'Reject', exact: true }).click()
    await line(page, 'Bolt Works', '€2,000.00', 'Not booked · Rejected on the phone')
    await status.getByText('€2,000.00 to Bolt Works was not booked.').waitFor()
    await pay(page, 'Bolt/Works', '2000')
    await page.locator('#order').getByRole('alert').getByText('Give an account').waitFor()
    expect(await status.count()).toBe(0)
    expect(await balance(page)).toBe('€998,737.50')
    expect(complaints).toEqual([])
  })

  it('a large payment says who has approved, asks the two others only, and violates no rule of WCAG in light and in dark', async () => {
    const [ada, grace, alan] = await Promise.all([openBank('ada'), openBank('grace'), openBank('alan')])
    const [gracePhone, alanPhone] = await Promise.all([openPhone(grace.context, 'grace'), openPhone(alan.context, 'alan')])
    await pay(ada.page, 'Ship Yard', '60000')
    await line(ada.page, 'Ship Yard', '€60,000.00', 'Waits for two approvals')
    await line(grace.page, 'Ship Yard', 'Ordered by Ada', 'yours counts')
    await press(gracePhone, 'Approve')
    await line(ada.page, 'Ship Yard', 'Approved by Grace. One more is needed')
    await expect.poll(() => grace.page.getByRole('link', { name: 'Review and approve' }).count()).toBe(0)
    for (const scheme of ['light', 'dark'] as const) {
      await showColours(alan.page, scheme)
      expect(await findViolations(alan.page)).toEqual([])
    }
    await press(alanPhone, 'Approve')
    await line(ada.page, 'Ship Yard', '€60,000.00', 'Booked today', 'approved by two people')
    expect(complaints).toEqual([])
  })
})
