import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { askForPayment, signInWithPassword } from './playground.ts'
import { describeOnStage } from './stage.ts'

/** The position of an element on the screen. */
const placeOf = async (element: Locator) => {
  const place = await element.boundingBox()
  if (place === null) throw new Error('the element is not on the page')
  return place
}

/** Clicks at the centre of an element with the mouse. An element above it gets the click. */
const clickAtCentre = async (element: Locator): Promise<void> => {
  await element.evaluate((node) => node.scrollIntoView({ block: 'nearest' }))
  const { x, y, width, height } = await placeOf(element)
  await element.page().mouse.click(x + width / 2, y + height / 2)
}

const isCovered = async (element: Locator, by: Locator): Promise<boolean> => {
  const [below, above] = [await placeOf(element), await placeOf(by)]
  return below.y < above.y + above.height && above.y < below.y + below.height
}

const sizes = [
  { width: 1280, height: 860 },
  { width: 390, height: 844 },
]

describeOnStage('the notice about the result of an action', (stage) => {
  it.each(sizes)('a notice does not cover the next action on $width × $height, and does not catch clicks', async (size) => {
    const here = await stage.open({ view: 'web' })
    await here.page.setViewportSize(size)
    await signInWithPassword(here, await stage.server.createUser())
    await askForPayment(here, { amount: '1250', recipient: 'Ada' })
    await expect.poll(here.web.done).toBe('Asked for approval. Approve on the phone.')
    const button = here.web.button('Ask for approval')
    await button.evaluate((node) => node.scrollIntoView({ block: 'nearest' }))
    expect(await isCovered(button, here.web.region.getByRole('status').first())).toBe(false)
    await clickAtCentre(button)
    await here.web.region.getByRole('list', { name: 'Payments asked for' }).getByRole('listitem').nth(1).waitFor()
  })
})
