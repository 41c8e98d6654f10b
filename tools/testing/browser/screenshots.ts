import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { repository } from '../../workspace.ts'

/** The folder of the screenshots, which git ignores. */
const directory = join(repository, 'test-artifacts', 'browser')

/** Widths in CSS pixels: a phone and a desktop. */
export const widths = [390, 1280] as const

const HEIGHT = 844

/** Scrolls to the top and waits two frames, after which the page has adapted to its new width. */
const FROM_THE_TOP = 'scrollTo(0, 0); new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/**
 * Saves a screenshot of the whole page at each width, as `<name>-<width>.png`. Screenshots are for people; no test compares
 * them.
 */
export const keepScreenshots = async (page: Page, name: string): Promise<void> => {
  const before = page.viewportSize()
  for (const width of widths) {
    await page.setViewportSize({ width, height: HEIGHT })
    await page.evaluate(FROM_THE_TOP)
    await page.screenshot({ path: join(directory, `${name}-${width}.png`), fullPage: true })
  }
  if (before !== null) await page.setViewportSize(before)
}
