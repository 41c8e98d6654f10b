import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { askForPayment, registerBrowser, signInWithDevice, signInWithPassword } from './playground.ts'
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
  it.each(sizes)('does not cover the answers to a payment on $width × $height, and takes no click', async (size) => {
    const [web, there] = await Promise.all([stage.open({ view: 'web' }), stage.open({ view: 'phone' })])
    const { page, phone } = there
    await page.setViewportSize(size)
    const user = await stage.server.createUser()
    await signInWithPassword(web, user)
    await registerBrowser(there, { user })
    await signInWithDevice(phone)
    for (const recipient of ['Ada', 'Grace']) {
      await askForPayment(web, { amount: '1250', recipient })
      const item = phone.region.getByRole('listitem').filter({ hasText: recipient })
      const button = item.getByRole('button', { name: 'Reject' })
      await button.waitFor()
      const status = phone.region.getByRole('status')
      expect(await phone.done()).not.toBe('')
      await button.evaluate((node) => node.scrollIntoView({ block: 'nearest' }))
      expect(await isCovered(button, status)).toBe(false)
      await clickAtCentre(button)
      await item.getByText('rejected', { exact: true }).waitFor()
      // Hides a fading notice immediately, so that the next click reaches the element below.
      await page.evaluate(() => document.getAnimations().forEach((animation) => void animation.finish()))
    }
  })

  it('is visible beside the payment on one screen', async () => {
    const here = await stage.open()
    await here.page.setViewportSize({ width: 1280, height: 860 })
    await signInWithPassword(here, await stage.server.createUser())
    await registerBrowser(here)
    await signInWithDevice(here.phone)
    await askForPayment(here, { amount: '1250', recipient: 'Ada' })
    const button = here.phone.button('Reject')
    await button.waitFor()
    await button.evaluate((node) => node.scrollIntoView({ block: 'nearest' }))
    expect(await isCovered(button, here.phone.region.getByRole('status'))).toBe(false)
    await clickAtCentre(button)
    await expect.poll(here.phone.done).toBe('Rejected.')
  })
})
