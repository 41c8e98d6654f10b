import { createClient } from '@countersign/client-sdk'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeOnStage } from '../../../playground/test/browser/stage.ts'
import { button, confirm, enrol, expectAccessible, openApprover, openPhone } from './approver-page.ts'

const openAccount = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'Account' }).click()
  await page.getByText('this session', { exact: true }).waitFor()
}

/** Pretends that the browser offers to install the page, and what the person answers. */
const offerToInstall = (page: Page, outcome: 'accepted' | 'dismissed') =>
  page.evaluate((answer) => {
    const prompt = async () => ({ outcome: answer })
    dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }))
  }, outcome)

describeOnStage('the account screen of the page at /approve/', (stage) => {
  it('the account screen names devices and sessions by their browser, and asks before it removes one', async () => {
    const { page, user } = await openPhone(stage)
    const other = await openApprover(stage)
    await enrol(other, user)
    await other.getByText('Nothing waits for you').waitFor()
    await openAccount(page)
    const name = '\u2068Chrome on Linux\u2069'
    const devices = page.getByRole('listitem').filter({ hasText: 'Added on' })
    expect(await devices.locator('.title').filter({ hasText: 'Chrome on Linux' }).count()).toBe(2)
    const remove = page.getByRole('button', { name: `Remove ${name}` })
    await remove.click()
    const sheet = page.getByRole('dialog', { name: `Remove ${name}?` })
    await sheet.getByText('It can no longer approve').waitFor()
    expect(await page.evaluate(() => document.querySelector(':focus')?.closest('dialog') !== null)).toBe(true)
    await button(page, 'Cancel').click()
    await sheet.waitFor({ state: 'hidden' })
    await remove.click()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'hidden' })
    expect(await devices.count()).toBe(2)
    await expectAccessible(page)
    await remove.click()
    await confirm(page, 'Remove')
    await page.getByRole('status').getByText('is removed').waitFor()
    expect(await devices.count()).toBe(1)
  })

  it('the account screen changes the password, and says that the current one is wrong', async () => {
    const { page, user } = await openPhone(stage)
    const elsewhere = createClient({ baseUrl: stage.server.origin })
    await elsewhere.auth.login(user)
    await openAccount(page)
    await page.locator('summary', { hasText: 'Change the password' }).click()
    const change = async (currentPassword: string, newPassword: string): Promise<void> => {
      await page.getByLabel('Current password').fill(currentPassword)
      await page.getByLabel('New password').fill(newPassword)
      await button(page, 'Change the password').click()
    }
    const password = 'another-long-passphrase-7'
    await change('not-the-password', password)
    await page.getByRole('alert').getByText('The current password is wrong').waitFor()
    await expectAccessible(page)
    await change(user.password, password)
    await page.getByRole('status').getByText('The password is changed').waitFor()
    await expect(elsewhere.devices.list()).rejects.toMatchObject({ code: 'SESSION_ENDED' })
    await elsewhere.auth.login({ email: user.email, password })
  })

  it('the empty inbox offers notifications and the home screen, says if the browser refuses, and keeps silent after Not now', async () => {
    const context = await stage.newContext()
    await context.route('**/approve/settings.json', (route) => route.fulfill({ json: { vapidPublicKey: 'BPub' } }))
    const page = await openApprover(stage, context)
    await offerToInstall(page, 'dismissed')
    await enrol(page, await stage.server.createUser())
    await page.getByText('Never miss a request').waitFor()
    await page.getByText('This page then opens with one tap').waitFor()
    await expectAccessible(page)
    await button(page, 'Notify this phone of requests').click()
    await page.getByRole('alert').getByText('The browser does not allow notifications').waitFor()
    await button(page, 'Add to the home screen').click()
    await page.getByRole('alert').getByText('It was not added').waitFor()
    expect(await button(page, 'Add to the home screen').count()).toBe(0)
    await offerToInstall(page, 'accepted')
    await button(page, 'Add to the home screen').waitFor()
    await button(page, 'Not now').click()
    await page.reload()
    await page.getByText('Nothing waits for you').waitFor()
    expect(await button(page, 'Notify this phone of requests').count()).toBe(0)
    await openAccount(page)
    await offerToInstall(page, 'accepted')
    await button(page, 'Add to the home screen').click()
    await button(page, 'Add to the home screen').waitFor({ state: 'detached' })
  })
})
