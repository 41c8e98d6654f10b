import type axe from 'axe-core'
import type { CheckResult, NodeResult } from 'axe-core'
import type { Page } from 'playwright-core'
import { loadAxe } from './load-axe.ts'

const describe = ({ html, any }: NodeResult): string => {
  const { fgColor, bgColor, contrastRatio, messageKey } = (any[0] as CheckResult).data as Readonly<Record<string, unknown>>
  return `${contrastRatio} to 1 (${fgColor} on ${bgColor}${messageKey ? `, ${messageKey}` : ''}): ${html.slice(0, 200)}`
}

/** Waits two frames, after which the page has adapted, and then for the transitions that have begun. */
const ADAPTED = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  .then(() => document.getAnimations().filter((one) => one instanceof CSSTransition))
  .then((begun) => Promise.allSettled(begun.map(({ finished }) => finished)))
  .then(() => undefined)`

/** Chooses the colours, and waits until the page shows them. */
export const showColours = async (page: Page, colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(ADAPTED)
}

export interface LowContrast {
  /** Texts with less contrast than WCAG 2.2 demands at level AA: 4.5 to 1, or 3 to 1 for large text. */
  readonly low: readonly string[]
  /** Texts whose background is unknown. */
  readonly unknown: readonly string[]
  /** The number of texts with enough contrast. */
  readonly enough: number
}

/** Computes the contrast of every visible text of a rendered page, or of the element that `selector` finds. */
export const findLowContrast = async (page: Page, selector = ':root'): Promise<LowContrast> => {
  await loadAxe(page)
  const { violations, incomplete, passes } = await page.evaluate(
    (within) =>
      (globalThis as unknown as { readonly axe: typeof axe }).axe.run(within, {
        runOnly: ['color-contrast'],
        // Nothing reads the selectors, and they take longer than the contrasts. Frames are left out: they have no axe-core.
        selectors: false,
        iframes: false,
      }),
    selector,
  )
  const nodesOf = (results: typeof violations) => results.flatMap(({ nodes }) => nodes)
  return {
    low: nodesOf(violations).map(describe),
    unknown: nodesOf(incomplete).map(describe),
    enough: nodesOf(passes).length,
  }
}
