import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Credentials } from '../../../playground/test/browser/playground-server.ts'
import { describeOnStage } from '../../../playground/test/browser/stage.ts'
import { button, confirm, enrol, expectAccessible, openApprover, openPhone, openRequest } from './approver-page.ts'

/** Changes the answers of the service to one question, and reads them again as a page that was hidden does. */
const change = async (page: Page, path: string, changed: (data: Record<string, unknown>) => object) => {
  await page.route(path, async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { readonly data: Record<string, unknown> }
    await route.fulfill({ response, json: { ...body, data: changed(body.data) } })
  })
  await page.reload()
}

describeOnStage('a phone on probation at /approve/', (stage) => {
  let twin: Promise<string> | undefined
  /** Opens the page on a phone that a trusted phone of its user must vouch for. */
  const openOnProbation = async (user: Credentials): Promise<Page> => {
    twin ??= stage.server.startTwin({ COUNTERSIGN_ENROLMENT: 'vouched' })
    const page = await openApprover({ ...stage, server: { ...stage.server, origin: await twin } })
    await enrol(page, user)
    await page.getByRole('heading', { name: 'This phone is not trusted yet' }).waitFor()
    await page.locator('.number').waitFor()
    return page
  }

  const given = async () => {
    const { page: trusted, user } = await openPhone(stage)
    const added = await openOnProbation(user)
    const number = async () => (await added.locator('.number').textContent()) ?? ''
    const type = async (digits: string): Promise<void> => {
      await trusted.getByLabel('Number on the screen that asks').fill(digits)
      await button(trusted, 'Approve').click()
    }
    return { trusted, user, added, number, type }
  }

  it('the page shows the number, also after a reload, and the inbox after another phone has vouched for it', async () => {
    const { trusted, added, number, type } = await given()
    const first = await number()
    await expectAccessible(added)
    await added.reload()
    await added.locator('.number').waitFor()
    expect(await number()).toBe(first)
    await openRequest(trusted)
    await trusted.getByRole('heading', { name: 'Is this your new phone?' }).waitFor()
    await trusted.getByText(/^\u2068\u2068Chrome\u2069 on \u2068Linux\u2069\u2069, \u2068.+\u2069, from \u2068/).waitFor()
    await trusted.getByText('This phone will be able to approve in your name').waitFor()
    const field = trusted.getByLabel('Number on the screen that asks')
    expect((await field.boundingBox())?.y).toBeLessThan(500)
    expect(await button(trusted, 'Approve').getAttribute('aria-disabled')).toBe('true')
    expect(await trusted.getByText('Trust a new device').isVisible()).toBe(false)
    await field.fill(first)
    await expectAccessible(trusted)
    await type(first)
    await trusted.getByRole('heading', { name: 'Approved' }).waitFor()
    await trusted.getByText('The new phone or passkey is trusted now').waitFor()
    await added.getByText('Nothing waits for you').waitFor()
  })

  it('the page shows the number in force after the trusted phone has asked again, which never shows the number', async () => {
    const { trusted, added, number, type } = await given()
    await trusted.getByRole('link', { name: 'Account' }).click()
    const asking = trusted.waitForResponse('**/vouch')
    await button(trusted, 'Vouch for it').click()
    const { data } = (await (await asking).json()) as {
      readonly data: { readonly confirmationId: string; readonly matchNumber: null }
    }
    expect(data.matchNumber).toBeNull()
    await trusted.getByRole('status').getByText('Type the number that the other phone shows').waitFor()
    const shown = added.waitForResponse('**/vouching')
    await added.reload()
    const inForce = (await (await shown).json()) as { readonly data: { readonly matchNumber: string } }
    await added.locator('.number').waitFor()
    expect(await number()).toBe(inForce.data.matchNumber)
    await trusted.goto(`${stage.server.origin}/approve/#/request/${data.confirmationId}`)
    await type(await number())
    await trusted.getByRole('heading', { name: 'Approved' }).waitFor()
    await added.getByText('Nothing waits for you').waitFor()
  })

  it('the page says that the request was refused after two wrong numbers, and asks the other phone again', async () => {
    const { trusted, added, number, type } = await given()
    const first = await number()
    await openRequest(trusted)
    for (const _ of [1, 2]) {
      await type(first === '00' ? '01' : '00')
      await trusted.getByRole('alert').getByText('not the number').waitFor()
    }
    await added.getByRole('status').getByText('The request was refused').waitFor()
    expect(await added.locator('.number').count()).toBe(0)
    await expectAccessible(added)
    await button(added, 'Ask my other phone').click()
    await added.locator('.number').waitFor()
    await trusted.getByRole('navigation').getByRole('link', { name: 'Inbox' }).click()
    await openRequest(trusted)
    await type(await number())
    await trusted.getByRole('heading', { name: 'Approved' }).waitFor()
    await added.getByText('Nothing waits for you').waitFor()
  })

  it('the page says that the number has expired, that no more tries are left, and when waiting is enough', async () => {
    const { added } = await given()
    const expired = { status: 'expired', matchNumber: null }
    await change(added, '**/vouching', (data) => ({ ...data, ...expired }))
    await added.getByRole('status').getByText('The number has expired').waitFor()
    expect(await button(added, 'Ask my other phone').count()).toBe(1)
    await change(added, '**/vouching', (data) => ({ ...data, ...expired, triesLeft: 0 }))
    await added.getByText('No more tries today').waitFor()
    expect(await button(added, 'Ask my other phone').count()).toBe(0)
    // A phone without another one beside it becomes trusted by waiting.
    const trustedAt = new Date(Date.now() + 86_400_000).toISOString()
    await change(added, '**/auth/devices', ({ devices }) => ({
      devices: (devices as readonly { readonly trusted: boolean }[])
        .filter(({ trusted }) => !trusted)
        .map((one) => ({ ...one, trustedAt })),
    }))
    await added.getByText(/^Ready on \S+ \S+ \d{4}, \d/).waitFor()
    expect(await added.getByText('other phone').count()).toBe(0)
    await expectAccessible(added)
  })

  it('the page becomes trusted by a code of the administrator, and says that a wrong one is wrong', async () => {
    const { user, added } = await given()
    await added.getByText('I have a code').click()
    await added.getByLabel('Code', { exact: true }).fill('0'.repeat(26))
    await button(added, 'Use the code').click()
    await added.getByRole('alert').getByText('This code is wrong').waitFor()
    await added.getByLabel('Code', { exact: true }).fill(await stage.server.enrolmentCode(user.email))
    await button(added, 'Use the code').click()
    await added.getByText('Nothing waits for you').waitFor()
    await added.getByRole('link', { name: 'Account' }).click()
    await added.getByText('this phone', { exact: true }).waitFor()
    expect(await added.getByText('not trusted yet').count()).toBe(0)
  })

  it('the page removes the phone when the person cancels', async () => {
    const { added, trusted } = await given()
    await button(added, 'Cancel the setup').click()
    await confirm(added, 'Stop using this phone')
    await added.getByRole('heading', { name: 'Sign in' }).waitFor()
    await trusted.getByRole('link', { name: 'Account' }).click()
    await trusted.getByText('this session', { exact: true }).waitFor()
    expect(await trusted.getByText('not trusted yet').count()).toBe(0)
  })
})
