import { operations } from '@countersign/contract'
import { expect, it } from 'vitest'
import { keepScreenshots } from '../../../../tools/testing/browser/screenshots.ts'
import { describeOnStage } from './stage.ts'

describeOnStage('the page at /docs', (stage) => {
  it('shows every operation, loads nothing from elsewhere, and keeps to its policy', async () => {
    const page = await (await stage.newContext()).newPage()
    await page.goto(`${stage.server.origin}/docs`)
    const summaries = page.locator('.opblock-summary-description')
    await expect.poll(() => summaries.count()).toBe(Object.keys(operations).length)
    expect(new Set(await summaries.allTextContents())).toEqual(new Set(Object.values(operations).map(({ summary }) => summary)))
    await keepScreenshots(page, 'reference')
  })

  it('calls what it shows', async () => {
    const page = await (await stage.newContext()).newPage()
    await page.goto(`${stage.server.origin}/docs`)
    const health = page.locator('.opblock').filter({ hasText: operations['health.check'].summary })
    await health.locator('.opblock-summary-control').click()
    await health.getByRole('button', { name: 'Execute' }).click()
    await expect.poll(() => health.locator('.live-responses-table').first().textContent()).toContain('"status": "healthy"')
  })
})
