import { wireTransferPayload } from '@countersign/core/testing'
import { expect, it } from 'vitest'
import { findLowContrast } from '../../../../tools/testing/browser/find-low-contrast.ts'
import { keepScreenshots } from '../../../../tools/testing/browser/screenshots.ts'
import { changeCall } from './change-call.ts'
import { askForPayment, type Part, type Playground, registerBrowser, signInWithDevice, signInWithPassword } from './playground.ts'
import { describeOnStage, type Stage } from './stage.ts'

interface Pair {
  readonly userId: number
  /** The browser with the web application. */
  readonly web: Playground
  /** The browser that plays the phone. */
  readonly phone: Playground
}

const openPair = async (stage: Stage, permissions?: readonly string[]): Promise<Pair> => {
  const user = await stage.server.createUser(permissions)
  const [web, phone] = await Promise.all([stage.open({ view: 'web' }), stage.open({ view: 'phone' })])
  await Promise.all([signInWithPassword(web, user), registerBrowser(phone, { user })])
  await signInWithDevice(phone.phone)
  return { userId: user.id, web, phone }
}

const waiting = ({ region }: Part) => region.getByRole('list', { name: 'Waiting for you' })
const answered = ({ region }: Part) => region.getByRole('list', { name: 'Answered' })
const requestedPayments = ({ region }: Part) => region.getByRole('list', { name: 'Payments asked for' })

const words = async (part: Part): Promise<readonly string[]> => {
  const lines = await waiting(part).locator('.payload > div').allInnerTexts()
  return lines.map((line) => line.replace(/\s*\n\s*/g, ': ').replace(/[\u2068\u2069]/g, ''))
}

const payment = { amount: '1250.50', recipient: 'ACME GmbH' }

describeOnStage('a payment requested on the web and answered on a phone', (stage) => {
  it('is approved once: a second approval is refused', async () => {
    const { web, phone } = await openPair(stage)
    await askForPayment(web, payment)
    await waiting(phone.phone).getByText('1,250.50 EUR').waitFor()
    await requestedPayments(web.web).getByText('1,250.50 EUR').waitFor()
    await keepScreenshots(phone.page, 'payment-waiting')

    await phone.phone.button('Approve').click()
    await expect.poll(phone.phone.done).toBe('Approved.')
    await requestedPayments(web.web).getByText('approved', { exact: true }).waitFor()

    await answered(phone.phone).getByRole('button', { name: 'Use it again' }).click()
    await expect.poll(phone.phone.failed).toBe('Action confirmation token already used (410).')
    await keepScreenshots(web.page, 'payment-approved')
  })

  it('has a receipt that the browser verifies, and refuses after one byte was changed', async () => {
    const { web, phone } = await openPair(stage)
    await askForPayment(web, payment)
    await phone.phone.button('Approve').click()
    const receipt = answered(phone.phone).getByRole('region', { name: 'Receipt' })
    await receipt.getByText('genuine', { exact: true }).waitFor()
    await receipt.getByText('1,250.50 EUR').first().waitFor()
    await receipt.getByText('Parts of the receipt').click()
    await receipt.getByText('"countersign-receipt+sd-jwt"').waitFor()
    await receipt.getByText('Raw text of the receipt').click()
    await receipt.getByText(/^eyJ/).waitFor()
    await keepScreenshots(phone.page, 'receipt-genuine')
    expect(await findLowContrast(phone.page)).toMatchObject({ low: [], unknown: [] })

    await receipt.getByRole('button', { name: 'Change one byte' }).click()
    await receipt.getByText('refused', { exact: true }).waitFor()
    await receipt.getByText(/^refused Refused at the step “(?:format|key|issuer|disclosure)”: /).waitFor()
    await receipt.getByText(/^Character [0-9]+ of [0-9]+ was “.” and is now “[AB]”:$/).waitFor()
    expect(await receipt.locator('mark').textContent()).toMatch(/^[AB]$/)
    await keepScreenshots(phone.page, 'receipt-refused')
    expect(await findLowContrast(phone.page)).toMatchObject({ low: [], unknown: [] })
    await receipt.getByRole('button', { name: 'Verify the original' }).click()
    await receipt.getByText('genuine', { exact: true }).waitFor()
  })

  it('is asked in a scope, which the phone shows', async () => {
    const { web, phone } = await openPair(stage, ['payment.read@acme'])
    await askForPayment(web, { ...payment, scope: 'acme' })
    await waiting(phone.phone).getByText('1,250.50 EUR').waitFor()
    expect(await words(phone.phone)).toContain('Scope: acme')
    await web.web.field('Scope (optional)').fill('other')
    await web.web.button('Ask for approval').click()
    await expect.poll(web.web.failed).toBe('Insufficient permissions (403).')
  })

  it('is rejected with a reason', async () => {
    const { web, phone } = await openPair(stage)
    await askForPayment(web, payment)
    await phone.phone.field('Reason (optional)').fill('Nobody ordered this')
    await phone.phone.button('Reject').click()
    await expect.poll(phone.phone.done).toBe('Rejected.')
    await requestedPayments(web.web).getByText('rejected', { exact: true }).waitFor()
    await requestedPayments(web.web).getByText('Reason: Nobody ordered this').waitFor()
    expect(await answered(phone.phone).getByRole('button', { name: 'Use it again' }).count()).toBe(0)
  })

  it('is approved with the number that the web page shows, and not with another', async () => {
    const { web, phone } = await openPair(stage)
    await web.web.field('Show a number that must be typed on the phone').check()
    await askForPayment(web, payment)
    const line = requestedPayments(web.web).getByText(/^Type this number on the phone: [0-9]{2}$/)
    await line.waitFor()
    const number = (await line.textContent())?.slice(-2) ?? ''
    const field = waiting(phone.phone).getByRole('textbox', { name: 'Number on the other screen' })
    await field.fill(number === '00' ? '01' : '00')
    await phone.phone.button('Approve').click()
    await expect.poll(phone.phone.failed).toBe('Wrong number (401).')
    await keepScreenshots(phone.page, 'payment-number')
    await field.fill(number)
    await phone.phone.button('Approve').click()
    await expect.poll(phone.phone.done).toBe('Approved.')
  })

  it('ends the session of the web page, where the person on the phone did not ask for it', async () => {
    const { web, phone } = await openPair(stage)
    await askForPayment(web, payment)
    await waiting(phone.phone)
      .getByText(/^Asked from 127\.0\.0\.1 with Mozilla/)
      .waitFor()
    await phone.phone.button('I did not ask for this').click()
    await expect.poll(phone.phone.done).toBe('Rejected, and the session that asked has ended.')
  })

  it('is not signed when the phone is shown something else than requested', async () => {
    const { web, phone } = await openPair(stage)
    interface PendingList {
      readonly confirmations: readonly { readonly actionPayload: { amount: number } }[]
    }
    await changeCall<PendingList>(phone.page, 'confirmation/pending', {
      answer: ({ confirmations }) => {
        for (const { actionPayload } of confirmations) actionPayload.amount = 1
      },
    })
    await askForPayment(web, payment)
    await waiting(phone.phone).getByRole('alert').waitFor()
    expect(await waiting(phone.phone).getByRole('alert').textContent()).toBe(
      'The challenge does not belong to the action shown, so this phone refuses to sign it.',
    )
    expect(await phone.phone.button('Approve').count()).toBe(0)
    await requestedPayments(web.web).getByText('pending', { exact: true }).waitFor()
  })

  it('waits for every phone of its user, and disappears from the others after one has answered', async () => {
    const { web, phone } = await openPair(stage)
    await askForPayment(web, payment)
    await phone.phone.button('Approve').waitFor()
    await web.page.goto(`${stage.server.origin}/playground#phone`)
    await web.phone.region.waitFor()
    await registerBrowser(web, { deviceName: 'Another phone' })
    await signInWithDevice(web.phone)
    await web.phone.button('Reject').click()
    await expect.poll(web.phone.done).toBe('Rejected.')
    await waiting(phone.phone).getByRole('listitem').waitFor({ state: 'detached' })
  })
})

describeOnStage('an action of a registered type', (stage) => {
  const wire = { actionType: 'wire_transfer', actionPayload: wireTransferPayload }

  it('is shown in the words that the phone signs, and not signed in other words', async () => {
    await stage.server.registerWireTransfer()
    const { userId, phone } = await openPair(stage)
    await stage.server.ask(userId, wire)
    await waiting(phone.phone).getByText('Wire transfer', { exact: true }).waitFor()
    expect(await words(phone.phone)).toEqual([
      'Amount: 1,250.50 EUR',
      'To: Ada’s Workshop',
      'Account: —',
      'Date: —',
      'Invoice: 2026-17',
      'Invoice: 2026-18',
      'Express: —',
      expect.stringMatching(/^Asked by: \S/),
    ])
    await keepScreenshots(phone.page, 'wire-transfer-waiting')
    await phone.phone.button('Approve').click()
    await expect.poll(phone.phone.done).toBe('Approved.')

    interface PendingList {
      readonly confirmations: readonly { readonly display: { en: { lines: { value: string }[] } } }[]
    }
    await changeCall<PendingList>(phone.page, 'confirmation/pending', {
      answer: ({ confirmations }) => {
        for (const { display } of confirmations) for (const line of display.en.lines) line.value = '\u20681 EUR\u2069'
      },
    })
    await stage.server.ask(userId, wire)
    await waiting(phone.phone).getByRole('alert').waitFor()
    expect(await phone.phone.button('Approve').count()).toBe(0)
  })

  it('says which service asks, for whom, in which scope and why', async () => {
    const { userId, phone } = await openPair(stage)
    const context = { agent: 'clerk', reason: 'Rent of May' }
    await stage.server.askAsService(userId, { onBehalfOf: 'Eve', scope: 'acme', context })
    await waiting(phone.phone).getByText('Payment', { exact: true }).waitFor()
    expect(await words(phone.phone)).toEqual([
      'Amount: 12.50 EUR',
      'Recipient: Ada',
      'Asked by: billing',
      'On behalf of: Eve',
      'Scope: acme',
      'Agent: clerk',
      'Reason given: Rent of May',
    ])
    await phone.phone.button('Approve').click()
    await expect.poll(phone.phone.done).toBe('Approved.')
  })

  it('has every member of the payload where the type is one of the contract', async () => {
    const { userId, phone } = await openPair(stage)
    const actionPayload = { documentId: 7, documentName: 'A\u200bB', reviewers: ['Ada', 'Bob'], note: { a: null } }
    await stage.server.ask(userId, { actionType: 'document_approval', actionPayload })
    await waiting(phone.phone).getByText('Approval of a document', { exact: true }).waitFor()
    expect(await words(phone.phone)).toEqual([
      'Document: A\\u{200b}B',
      'Document id: 7',
      'reviewers: Ada',
      'reviewers: Bob',
      'note: {"a":null}',
      expect.stringMatching(/^Asked by: \S/),
    ])
  })
})
