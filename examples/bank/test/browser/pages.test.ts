import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
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
    await page.goto(`${bank.url}${path}`)
    return page
  }

  /** Signs a customer in, and registers the browser as the phone of the customer. */
  const openPhone = async (name: string): Promise<{ readonly context: BrowserContext; readonly phone: Page }> => {
    const context = await browser.newContext()
    const phone = await open(context, '/phone')
    await phone.getByLabel('Email').fill(`${name}@example.com`)
    await phone.getByLabel('Password').fill(demoPassword)
    await phone.getByRole('button', { name: 'Sign in' }).click()
    await phone.getByRole('button', { name: 'Register this phone' }).click()
    await phone.getByRole('button', { name: 'Register this phone' }).waitFor({ state: 'hidden' })
    return { context, phone }
  }

  it('the pages lead a payment from the order to the booking, with the phone of the customer and with the phones of two other holders', async () => {
    const [{ context, phone }, ...others] = await Promise.all([openPhone('ada'), openPhone('grace'), openPhone('alan')])
    const page = await open(context, '/')
    const pay = async (recipient: string, euros: string) => {
      await page.getByLabel('To', { exact: true }).fill(recipient)
      await page.getByLabel('EUR').fill(euros)
      await page.getByRole('button', { name: 'Pay' }).click()
    }
    const row = (text: string) => page.getByRole('row', { name: text }).waitFor()

    await pay('Corner Shop', '12.50')
    await row('Corner Shop 12.50 booked')
    await pay('Bolt Works', '1250')
    await row('Bolt Works 1,250.00 approve it on your phone')
    expect(await phone.getByRole('article').textContent()).toContain('Bolt Works')
    await phone.getByRole('button', { name: 'Approve' }).click()
    await row('Bolt Works 1,250.00 booked')
    await pay('Ship Yard', '60000')
    await row('Ship Yard 60,000.00 waits for two people')
    for (const other of others) await other.phone.getByRole('button', { name: 'Approve' }).click()
    await row('Ship Yard 60,000.00 booked')

    await phone.reload()
    await pay('Bolt Works', '2000')
    await phone.getByRole('button', { name: 'Reject' }).click()
    await row('Bolt Works 2,000.00 refused rejected')
    expect(complaints).toEqual([])
  })
})
