import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { loadAxe } from './load-axe.ts'

/** Returns the rules of WCAG 2.2, levels A and AA, that a page violates, as far as axe-core can find them. */
export const findViolations = async (page: Page): Promise<readonly string[]> => {
  await loadAxe(page)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { readonly axe: typeof axe }).axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      // Leaves out all other results, and the selectors, because nothing reads them.
      resultTypes: ['violations'],
      selectors: false,
    }),
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
