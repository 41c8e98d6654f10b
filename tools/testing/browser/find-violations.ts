import type axe from 'axe-core'
import type { Page } from 'playwright-core'
import { loadAxe } from './load-axe.ts'

/** The tags of axe-core for the rules of WCAG 2.2, levels A and AA. */
export const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** Returns the rules that a page violates, as far as axe-core can find them: by default those of WCAG 2.2, levels A and AA. */
export const findViolations = async (page: Page, rules: readonly string[] = WCAG_22_AA): Promise<readonly string[]> => {
  await loadAxe(page)
  const { violations } = await page.evaluate(
    (tags) =>
      (globalThis as unknown as { readonly axe: typeof axe }).axe.run({
        runOnly: tags,
        // Leaves out all other results, and the selectors, because nothing reads them.
        resultTypes: ['violations'],
        selectors: false,
      }),
    [...rules],
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
