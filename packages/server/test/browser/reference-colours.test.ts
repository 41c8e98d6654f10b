import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findLowContrast } from '../../../../tools/testing/browser/find-low-contrast.ts'
import { describeOnStage } from './stage.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Opens the first operation of each method, the schemas, and a received response. */
const unfold = async (page: Page): Promise<void> => {
  const folds = [...methods.map((method) => `.opblock-${method} .opblock-summary-control`), '.models-control']
  // In one step, because the page arranges itself for a second after each.
  await page.evaluate((selectors) => {
    for (const selector of selectors) document.querySelector<HTMLElement>(selector)?.click()
  }, folds)
  for (const method of methods) {
    await page.locator(`.opblock-${method}`).first().getByRole('heading', { name: 'Responses' }).first().waitFor()
  }
  const first = page.locator('.opblock-get').first()
  await first.getByRole('button', { name: 'Execute' }).click()
  await first.locator('.live-responses-table').waitFor()
}

describeOnStage('the colours of the page at /docs', (stage) => {
  it.each(['light', 'dark'] as const)('are distinguishable by everybody in %s colours', async (colorScheme) => {
    const page = await (await stage.newContext()).newPage()
    await page.emulateMedia({ colorScheme })
    await page.goto(`${stage.server.origin}/docs`)
    await page.locator('.opblock').first().waitFor()
    await unfold(page)
    const { low, unknown, enough } = await findLowContrast(page)
    // The whole page is so long that its picture takes a third of the test.
    await page.screenshot({ path: `test-artifacts/browser/reference-open-${colorScheme}.png` })
    expect({ low, unknown }).toEqual({ low: [], unknown: [] })
    expect(enough).toBeGreaterThan(300)

    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.locator('.modal-ux').waitFor()
    await page.screenshot({ path: `test-artifacts/browser/reference-authorize-${colorScheme}.png` })
    const dialog = await findLowContrast(page, '.modal-ux')
    expect(dialog.low).toEqual([])
    expect(dialog.enough).toBeGreaterThan(10)
  })
})
