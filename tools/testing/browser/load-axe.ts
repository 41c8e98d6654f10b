import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Loads axe-core into the document of a page, unless it is there. Loading takes longer than most of its checks. */
export const loadAxe = async (page: Page): Promise<void> => {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(source)
}
