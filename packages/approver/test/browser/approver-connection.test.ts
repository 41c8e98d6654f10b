import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeOnStage } from '../../../playground/test/browser/stage.ts'
import { button, enrol, expectAccessible, openApprover, openPhone, openRequest } from './approver-page.ts'

/** Waits until the page is stored, so that the browser opens the page without a connection. */
const untilStored = async (page: Page): Promise<void> => {
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.waitForFunction(async () => (await (await caches.open('countersign-approver')).keys()).length >= 6)
}

describeOnStage('the page at /approve/ without a connection', (stage) => {
  it('an answer that is sent or may be lost is shown in the place of the buttons, within the window', async () => {
    const { page, ask } = await openPhone(stage)
    await ask()
    await openRequest(page)
    const places = await Promise.all(['Reject', 'Approve'].map((name) => button(page, name).boundingBox()))
    const middles = places.map((place) => [Number(place?.x) + Number(place?.width) / 2, Number(place?.y) + 20] as const)
    const progress = page.locator('.answers [role=status]')
    const isInPlace = async (): Promise<void> => {
      const { y = 0, height = 0 } = (await progress.boundingBox()) ?? {}
      expect([y >= 0, y + height <= 844]).toEqual([true, true])
      const roles = await page.evaluate(
        (all) => all.map(([x, at]) => document.elementFromPoint(x, at)?.closest('[role]')?.role),
        middles,
      )
      expect(roles).toEqual(['status', 'status'])
    }
    const sending = Promise.withResolvers<void>()
    await page.route('**/verify', async (route) => {
      await sending.promise
      await route.abort('internetdisconnected')
    })
    await page.route('**/status', (route) => route.abort('internetdisconnected'))
    await button(page, 'Approve').click()
    await expect.poll(() => progress.textContent()).toBe('One moment …')
    await isInPlace()
    sending.resolve()
    await expect.poll(() => progress.textContent()).toContain('Asking the service whether your answer arrived')
    await isInPlace()
    await page.getByText('No connection. Last connected:').waitFor()
    await page.unroute('**/status')
    await page.getByRole('alert').getByText('Your answer did not arrive').waitFor()
    await expect.poll(() => progress.textContent()).toBe('')
    await page.unroute('**/verify')
    await button(page, 'Approve').click()
    await page.getByRole('heading', { name: 'Approved' }).waitFor()
  })

  it('the inbox says when the phone was connected last, and shows what waits as soon as the connection is back', async () => {
    const { page } = await openPhone(stage)
    await untilStored(page)
    await page.context().setOffline(true)
    await page.reload()
    await page.getByText(/^No connection\. Last connected: .+\. What you see may be old\.$/).waitFor()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.getByText('the current state is not known').waitFor()
    expect(await page.getByText('One moment').count()).toBe(0)
    await page.context().setOffline(false)
    await page.getByText('Nothing waits for you').waitFor()
    expect(await page.getByText('No connection').count()).toBe(0)
  })

  it('the page says which request was open after a reload, and shows the request as soon as the connection is back', async () => {
    const { page, ask } = await openPhone(stage)
    await untilStored(page)
    await ask()
    await openRequest(page)
    const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
    await page.context().setOffline(true)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByText('the current state is not known').waitFor()
    await expectAccessible(page)
    await page.context().setOffline(false)
    await button(page, 'Approve').click()
    await page.getByRole('heading', { name: 'Approved' }).waitFor()
  })

  it('the page says which own request to several people was open after a reload', async () => {
    const { page, user } = await openPhone(stage)
    await untilStored(page)
    const approver = await openApprover(stage)
    await enrol(approver, await stage.server.createUser(['order.approve']))
    await approver.getByText('Nothing waits for you').waitFor()
    await page.goto(`${stage.server.origin}/approve/#/request/${await stage.server.askSeveral(user.id)}`)
    await page.getByRole('heading', { name: 'Purchase order' }).waitFor()
    await page.context().setOffline(true)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Purchase order' }).waitFor()
  })

  it('the answers that an earlier page kept on the phone are removed', async () => {
    const { page } = await openPhone(stage)
    await page.evaluate(() => localStorage.setItem('countersign-approver.answers', '[{"title":"Payment"}]'))
    await page.reload()
    await page.getByText('Nothing waits for you').waitFor()
    expect(await page.evaluate(() => localStorage.getItem('countersign-approver.answers'))).toBeNull()
  })
})
