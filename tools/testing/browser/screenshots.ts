import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { repository } from '../../workspace.ts'

/** Git ignores it. */
const directory = join(repository, 'test-artifacts', 'browser')

/** CSS pixels: a phone and a desktop. */
export const widths = [390, 1280] as const

const HEIGHT = 844

/** Two frames later, the page has taken to its new width. */
const FROM_THE_TOP = 'scrollTo(0, 0); new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/** Keeps what the whole page looks like at each width, as `<name>-<width>.png`. For people; no test compares them. */
export const keepScreenshots = async (page: Page, name: string): Promise<void> => {
  const before = page.viewportSize()
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT })
    await page.evaluate(FROM_THE_TOP)
    await page.screenshot({ path: join(directory, `${name}-${width}.png`), fullPage: true })
  }
  if (before !== null) await page.setViewportSize(before)
}
