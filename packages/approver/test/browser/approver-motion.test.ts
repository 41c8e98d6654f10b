import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeOnStage } from '../../../playground/test/browser/stage.ts'
import { button, openPhone, openRequest } from './approver-page.ts'

/** The names of the animations that run or have run on what the page shows. */
const motions = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.state, .state *')]
      .map((one) => getComputedStyle(one).animationName)
      .filter((name) => name !== 'none'),
  )

describeOnStage('the motion of the page at /approve/', (stage) => {
  it.each([
    ['reduce', [], 'none'],
    ['no-preference', ['grow', 'draw'], 'matrix(0.98, 0, 0, 0.98, 0, 0)'],
  ] as const)(
    'with the wish for motion %s, a press darkens the button, and the sign of an approval has the movements %j',
    async (reducedMotion, drawn, pressed) => {
      const { page, ask } = await openPhone(stage)
      await page.emulateMedia({ reducedMotion })
      await ask()
      await openRequest(page)
      const approve = button(page, 'Approve')
      const look = () => approve.evaluate((one) => [getComputedStyle(one).filter, getComputedStyle(one).transform])
      expect(await look()).toEqual(['none', 'none'])
      await approve.hover()
      await page.mouse.down()
      await expect.poll(look).toEqual(['brightness(0.9)', pressed])
      await page.mouse.up()
      await page.getByRole('heading', { name: 'Approved' }).waitFor()
      expect(await motions(page)).toEqual(drawn)
    },
  )
})
