import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { findLowContrast, showColours } from '../../../../tools/testing/browser/find-low-contrast.ts'
import { findViolations, WCAG_22_AA } from '../../../../tools/testing/browser/find-violations.ts'
import { describeOnStage } from '../../../playground/test/browser/stage.ts'

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

interface OpenApi {
  readonly paths: Readonly<Record<string, object>>
}

/** Opens the first operation of each method, the schemas, and a received response. */
const unfold = async (page: Page): Promise<void> => {
  const folds = [...methods.map((method) => `.opblock-${method} .opblock-summary-control`), '.models-control']
  // Expands everything in one step, because the page changes its layout for a second after each click.
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

/**
 * Leaves the first operation of each method in the document, with its success and the refusal of no token. The others look
 * alike, and the page is slow with all of them.
 */
const shorten = async (page: Page): Promise<void> => {
  await page.route('**/openapi.json', async (route) => {
    const response = await route.fetch()
    const document = (await response.json()) as OpenApi
    const missing = new Set<string>(methods)
    const paths = Object.entries(document.paths).filter(
      ([, operations]) => methods.filter((method) => method in operations && missing.delete(method)).length > 0,
    )
    const few = JSON.parse(JSON.stringify(Object.fromEntries(paths)), (name, value: object) =>
      name === 'responses' ? Object.fromEntries(Object.entries(value).filter(([status]) => /^2|401/.test(status))) : value,
    ) as object
    await route.fulfill({ response, json: { ...document, paths: few } })
  })
}

describeOnStage('the structure of the page at /docs', (stage) => {
  it('axe finds no violation in the list of all operations, in open operations and in the dialog', {
    timeout: 120_000,
  }, async () => {
    const rules = [...WCAG_22_AA, 'best-practice']
    const page = await (await stage.newContext()).newPage()
    await page.goto(`${stage.server.origin}/docs`)
    await page.locator('.opblock').first().waitFor()
    const list = await findViolations(page, rules)

    await shorten(page)
    await page.reload()
    await page.locator('.opblock').first().waitFor()
    await unfold(page)
    const open = await findViolations(page, rules)

    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.locator('.modal-ux').waitFor()
    expect({ list, open, dialog: await findViolations(page, rules) }).toEqual({ list: [], open: [], dialog: [] })
  })
})

describeOnStage('the colours of the page at /docs', (stage) => {
  // Two colours, so twice the time of a test.
  it('are distinguishable also for people with colour blindness, light and dark', { timeout: 120_000 }, async () => {
    const page = await (await stage.newContext()).newPage()
    await page.emulateMedia({ colorScheme: 'dark' })
    await shorten(page)
    await page.goto(`${stage.server.origin}/docs`)
    await page.locator('.opblock').first().waitFor()
    await unfold(page)
    for (const colorScheme of ['dark', 'light'] as const) {
      await showColours(page, colorScheme)
      const { low, unknown, enough } = await findLowContrast(page)
      // The whole page is so long that its picture takes a third of the test.
      await page.screenshot({ path: `test-artifacts/browser/reference-open-${colorScheme}.png` })
      expect({ colorScheme, low, unknown }).toEqual({ colorScheme, low: [], unknown: [] })
      expect(enough).toBeGreaterThan(300)
    }

    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.locator('.modal-ux').waitFor()
    for (const colorScheme of ['dark', 'light'] as const) {
      await showColours(page, colorScheme)
      await page.screenshot({ path: `test-artifacts/browser/reference-authorize-${colorScheme}.png` })
      const { low, enough } = await findLowContrast(page, '.modal-ux')
      expect({ colorScheme, low }).toEqual({ colorScheme, low: [] })
      expect(enough).toBeGreaterThan(10)
    }
  })
})
