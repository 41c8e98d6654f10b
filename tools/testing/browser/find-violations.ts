import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Returns what a page violates of WCAG 2.2, levels A and AA, as far as axe-core can tell. */
export const findViolations = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { readonly axe: typeof axe }).axe.run({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    }),
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
