import { wireTransferPayload } from '@countersign/core/testing'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { keepScreenshots } from '../../../../tools/testing/browser/screenshots.ts'
import { button, enrol, openApprover, openRequest, refuse, words } from '../../../approver/test/browser/approver-page.ts'
import { changeCall } from './change-call.ts'
import { askForPayment, openMore, type Part, type Playground, registerPhone, signInWithPassword } from './playground.ts'
import type { Credentials } from './playground-server.ts'
import { describeOnStage, type Stage } from './stage.ts'

interface Pair {
  readonly user: Credentials
  readonly userId: number
  /** The browser with the web application. */
  readonly web: Playground
  /** The phone. */
  readonly phone: Page
}

const openPair = async (stage: Stage, permissions?: readonly string[]): Promise<Pair> => {
  const user = await stage.server.createUser(permissions)
  const [web, phone] = await Promise.all([stage.open({ view: 'web' }), openApprover(stage)])
  await Promise.all([signInWithPassword(web, user), enrol(phone, user)])
  await phone.getByText('Nothing waits for you').waitFor()
  return { user, userId: user.id, web, phone }
}

const requestedPayments = ({ region }: Part) => region.getByRole('list', { name: 'Payments asked for' })

const payment = { amount: '1250.50', recipient: 'ACME GmbH' }

describeOnStage('a payment requested on the web and answered on a phone', (stage) => {
  it('is approved on the phone', async () => {
    const { web, phone } = await openPair(stage)
    const live = web.page.waitForResponse((response) => response.url().endsWith('/auth/events') && response.ok())
    await askForPayment(web, payment)
    await requestedPayments(web.web).getByText('1,250.50 EUR').waitFor()
    await live
    await openRequest(phone)
    await button(phone, 'Approve').click()
    await phone.getByRole('heading', { name: 'Approved' }).waitFor()
    await requestedPayments(web.web).getByText('approved', { exact: true }).waitFor()
    await keepScreenshots(web.page, 'payment-approved')
  })

  it('is asked for and approved without scrolling in a window of 1280 by 720', async () => {
    const user = await stage.server.createUser()
    const here = await stage.open()
    await here.page.setViewportSize({ width: 1280, height: 720 })
    await signInWithPassword(here, user)
    await registerPhone(here, user)
    const bottomOf = async (one: Locator): Promise<number> => {
      const box = await one.boundingBox()
      return box === null ? Infinity : box.y + box.height
    }
    await here.page.evaluate(() => scrollTo(0, 0))
    expect(await bottomOf(here.web.button('Ask for approval'))).toBeLessThanOrEqual(720)
    await askForPayment(here, payment)
    await here.phone.getByRole('main').getByRole('listitem').first().getByRole('link').click()
    await button(here.phone, 'Approve').waitFor()
    await here.page.evaluate(() => scrollTo(0, 0))
    expect(await bottomOf(button(here.phone, 'Approve'))).toBeLessThanOrEqual(720)
  })

  it('is requested in a tenant, which the phone shows', async () => {
    const { web, phone } = await openPair(stage, ['payment.read@acme'])
    await askForPayment(web, { ...payment, tenant: 'acme' })
    await openRequest(phone)
    expect(await words(phone)).toContain('Tenant: acme')
    await openMore(web)
    await web.web.field('Tenant (optional)').fill('other')
    await web.web.button('Ask for approval').click()
    await expect.poll(web.web.failed).toBe('Insufficient permissions (403).')
  })

  it('is rejected with a reason', async () => {
    const { web, phone } = await openPair(stage)
    await askForPayment(web, payment)
    await openRequest(phone)
    await refuse(phone, 'Reject', 'Nobody ordered this')
    await phone.getByRole('heading', { name: 'Rejected' }).waitFor()
    await requestedPayments(web.web).getByText('rejected', { exact: true }).waitFor()
    await requestedPayments(web.web).getByText('Reason: Nobody ordered this').waitFor()
  })

  it('is approved with the number that the web page shows', async () => {
    const { web, phone } = await openPair(stage)
    await openMore(web)
    await web.web.field('Show a number that must be typed on the phone').check()
    await askForPayment(web, payment)
    const line = requestedPayments(web.web).getByText(/^Type this number on the phone: [0-9]{2}$/)
    await line.waitFor()
    await openRequest(phone)
    await phone.getByLabel('Number on the screen that asks').fill((await line.textContent())?.slice(-2) ?? '')
    await button(phone, 'Approve').click()
    await phone.getByRole('heading', { name: 'Approved' }).waitFor()
  })

  it('ends the session of the web page if the person on the phone says that they did not ask for it', async () => {
    const { web, phone } = await openPair(stage)
    await askForPayment(web, payment)
    await openRequest(phone)
    await phone.getByText(/from \u2068127\.0\.0\.1\u2069 with \u2068\u2068Chrome\u2069 on \u2068Linux/).waitFor()
    await refuse(phone, 'I did not ask for this')
    await phone.getByText('The session that asked has ended').waitFor()
    await expect.poll(web.web.signedIn).toBe('')
  })

  it('can be withdrawn on the phone of the person who asked', async () => {
    const { web, phone } = await openPair(stage)
    await askForPayment(web, payment)
    await openRequest(phone)
    await refuse(phone, 'Withdraw my own request')
    await phone.getByRole('heading', { name: 'Withdrawn' }).waitFor()
    await requestedPayments(web.web).getByText('expired', { exact: true }).waitFor()
  })

  it('is shown on every phone of its user, and the other phones then say which has answered', async () => {
    const { user, web, phone } = await openPair(stage)
    const other = await openApprover(stage)
    await enrol(other, user)
    await askForPayment(web, payment)
    await Promise.all([openRequest(phone), openRequest(other)])
    await refuse(other, 'Reject')
    await phone.getByRole('heading', { name: 'Rejected elsewhere' }).waitFor()
  })
})

describeOnStage('an action of a registered type', (stage) => {
  const wire = { actionType: 'wire_transfer', actionPayload: wireTransferPayload }

  it('is shown in the signed words, and is not signed if the words were changed', async () => {
    await stage.server.registerWireTransfer()
    const { userId, phone } = await openPair(stage)
    await stage.server.ask(userId, wire)
    await openRequest(phone)
    await phone.getByRole('heading', { name: 'Wire transfer' }).waitFor()
    expect(await words(phone)).toEqual([
      'Amount: 1,250.50 EUR',
      'To: Ada’s Workshop',
      'Account: —',
      'Date: —',
      'Invoice: 2026-17',
      'Invoice: 2026-18',
      'Express: —',
      expect.stringMatching(/^Asked by: \S/),
    ])
    await button(phone, 'Approve').click()
    await phone.getByRole('heading', { name: 'Approved' }).waitFor()

    interface PendingList {
      readonly confirmations: readonly { readonly display: { en: { lines: { value: string }[] } } }[]
    }
    await changeCall<PendingList>(phone, 'confirmation/pending', {
      answer: ({ confirmations }) => {
        for (const { display } of confirmations) for (const line of display.en.lines) line.value = '\u20681 EUR\u2069'
      },
    })
    await stage.server.ask(userId, wire)
    await phone.getByRole('link', { name: 'Next request' }).click()
    await button(phone, 'Approve').click()
    await phone.getByRole('alert').getByText('Nothing was signed').waitFor()
  })

  it('names the service that asks, for whom, in which tenant and why', async () => {
    const { userId, phone } = await openPair(stage)
    const context = { agent: 'clerk', reason: 'Rent of May' }
    await stage.server.askAsService(userId, { onBehalfOf: 'Eve', tenant: 'acme', context })
    await openRequest(phone)
    expect(await words(phone)).toEqual([
      'Amount: 12.50 EUR',
      'Recipient: Ada',
      'Asked by: billing',
      'On behalf of: Eve',
      'Tenant: acme',
      'Agent: clerk',
      'Reason given: Rent of May',
    ])
    await button(phone, 'Approve').click()
    await phone.getByRole('heading', { name: 'Approved' }).waitFor()
  })

  it('shows every member of the payload if the type is built in', async () => {
    const { userId, phone } = await openPair(stage)
    const actionPayload = { documentId: 7, documentName: 'A\u200bB', reviewers: ['Ada', 'Bob'], note: { a: null } }
    await stage.server.ask(userId, { actionType: 'document_approval', actionPayload })
    await openRequest(phone)
    expect(await words(phone)).toEqual([
      'Document: A\\u{200b}B',
      'Document id: 7',
      '"reviewers": Ada',
      '"reviewers": Bob',
      'Note · "a": —',
      expect.stringMatching(/^Asked by: \S/),
    ])
  })
})
