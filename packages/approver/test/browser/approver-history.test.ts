import { expect, it } from 'vitest'
import { describeOnStage } from '../../../playground/test/browser/stage.ts'
import { button, expectAccessible, openPhone, openRequest } from './approver-page.ts'

describeOnStage('the history of the approver', (stage) => {
  it('the page lists what the service knows of the person, in pages, and searches in what it has read', async () => {
    const { page, ask } = await openPhone(stage)
    const items = page.getByRole('main').getByRole('listitem')
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('Nothing asked yet').waitFor()
    await expectAccessible(page)
    const amounts = Array.from({ length: 21 }, (_, index) => `${100 + index}.00`)
    for (const amount of amounts) await ask({ actionPayload: { amount, currency: 'EUR', recipient: 'ACME GmbH' } })
    await page.getByRole('link', { name: 'Inbox' }).click()
    await openRequest(page)
    await button(page, 'Approve').click()
    await page.getByRole('heading', { name: 'Approved' }).waitFor()

    // The list of the service survives the storage of the browser.
    await page.goto(page.url().replace(/#.*/, '#/history'))
    await expect.poll(() => items.count()).toBe(20)
    await expectAccessible(page)
    await button(page, 'Show older requests').click()
    await expect.poll(() => items.count()).toBe(21)
    expect(await items.getByText('Waiting', { exact: true }).count()).toBe(20)
    expect(await button(page, 'Show older requests').count()).toBe(0)
    await page.getByLabel('Search in what is shown below').fill('107.00 e')
    await expect.poll(() => items.count()).toBe(1)
    await page.getByLabel('Search in what is shown below').fill('no such words')
    await page.getByText('Nothing below has these words.').waitFor()
    await page.getByLabel('Search in what is shown below').fill('approved')
    await items.getByRole('link').click()
    await page.getByText('Genuine', { exact: true }).waitFor()
  })
})
