import { createECDH } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createClient } from '@countersign/client-sdk'
import { verifyReceipt } from '@countersign/client-sdk/receipt'
import type { BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { addAuthenticator } from '../../../../tools/testing/browser/virtual-authenticator.ts'
import { type PushedMessage, watchWorker } from '../../../../tools/testing/browser/watch-worker.ts'
import { askForPayment, signInWithPassword } from '../../../playground/test/browser/playground.ts'
import { describeOnStage } from '../../../playground/test/browser/stage.ts'
import { decryptPush, subscriptionToken } from '../../../server/src/testing/browser-subscription.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../../server/src/testing/webhook-receiver.ts'
import { button, confirm, enrol, openApprover, openRequest, words } from './approver-page.ts'

let pushService: WebhookReceiver
beforeEach(async () => {
  pushService = await startWebhookReceiver()
  pushService.answerWith(201)
})
afterEach(() => pushService.close())

/**
 * Replaces what a browser without a person and without the internet lacks: the push service, whose address is the test's own, and
 * the sheet of the system for sharing, which leaves the file in `shared`. `closedTags` gets the tags of the notifications that the
 * page closes, because a browser without windows also forgets notifications by itself.
 */
const replaceEdges = (context: BrowserContext, subscription: string) =>
  context.addInitScript(
    ([token]) => {
      PushManager.prototype.subscribe = async (options) =>
        ({ toJSON: () => ({ ...JSON.parse(token), applicationServerKey: options?.applicationServerKey }) }) as PushSubscription
      const closedTags: string[] = []
      const { close } = Notification.prototype
      Notification.prototype.close = function () {
        closedTags.push(this.tag)
        close.call(this)
      }
      Object.assign(globalThis, { closedTags })
      Object.assign(navigator, {
        canShare: () => true,
        share: async ({ files: [file] }: { readonly files: readonly File[] }) => {
          Object.assign(globalThis, { shared: [file?.name, await file?.text()] })
        },
      })
    },
    [subscription] as const,
  )

/** Waits for a message of the service to the phone, and decrypts it as the browser does. */
const messageOf = async (type: string): Promise<PushedMessage> => {
  const find = () =>
    pushService.received.map(({ bytes }) => JSON.parse(decryptPush(bytes)) as PushedMessage).find((one) => one.type === type)
  await expect.poll(find).toBeDefined()
  return find() as PushedMessage
}

const openReceipt = async (page: Page): Promise<void> => {
  await page.getByRole('link', { name: 'See the receipt' }).click()
  await page.getByText('Genuine', { exact: true }).waitFor()
}

/** Saves the open receipt and shares it. Returns its text. */
const takeReceipt = async (page: Page): Promise<string> => {
  const downloading = page.waitForEvent('download')
  await button(page, 'Save as a file').click()
  const download = await downloading
  const saved = await readFile(await download.path(), 'utf8')
  await button(page, 'Share').click()
  await expect.poll(() => page.evaluate('globalThis.shared')).toEqual([download.suggestedFilename(), saved])
  expect(download.suggestedFilename()).toMatch(/^conf_.*\.receipt\.txt$/)
  return saved
}

const stopUsing = async (page: Page): Promise<void> => {
  await page.getByText('Stop using this phone').first().click()
  await button(page, 'Stop using this phone').click()
}

describeOnStage('a person with a phone, on a page at /approve/ of another host', (stage) => {
  it('a person enrols, gets a notification, approves, keeps the receipt, loses the phone, recovers, and locks the account', async () => {
    const keys = createECDH('prime256v1')
    const vapidPublicKey = keys.generateKeys('base64url')
    const { page: address, service } = await stage.server.startStaticPage(
      { vapidPublicKey, passkeyApprovals: true },
      {
        COUNTERSIGN_PASSKEY_APPROVALS: 'on',
        COUNTERSIGN_PUSH: 'webpush',
        COUNTERSIGN_VAPID_PUBLIC_KEY: vapidPublicKey,
        COUNTERSIGN_VAPID_PRIVATE_KEY: keys.getPrivateKey('base64url'),
        COUNTERSIGN_VAPID_SUBJECT: 'mailto:ops@example.com',
      },
    )
    const open = async (given = stage.newContext()): Promise<Page> => openApprover(stage, await given, address)
    const user = await stage.server.createUser()
    const shop = await stage.open({ view: 'web', origin: service })
    await signInWithPassword(shop, user)

    // The first phone is trusted at once, and so is the passkey that it adds in a fresh session.
    let phone = await open()
    const authenticator = await addAuthenticator(phone)
    await replaceEdges(phone.context(), subscriptionToken(pushService.url))
    await phone.reload()
    await enrol(phone, user)
    await phone.getByText('Nothing waits for you').waitFor()
    await phone.getByRole('link', { name: 'Account' }).click()
    await phone.getByText('this session', { exact: true }).waitFor()
    await phone.getByText('\u2068Chrome\u2069 on \u2068Linux\u2069').first().waitFor()
    await button(phone, 'Add a passkey').click()
    await phone.getByRole('status').getByText('is added').waitFor()
    const [passkey] = await authenticator.credentials()
    await phone.getByRole('link', { name: 'Account' }).click()
    const subscribing = phone.waitForRequest('**/push-token')
    const { deliver, click } = await watchWorker(phone)
    await button(phone, 'Notify this phone of requests').click()
    await phone.getByRole('status').getByText('This phone is notified of requests').waitFor()
    const { pushToken } = (await subscribing).postDataJSON() as { readonly pushToken: string }
    expect(JSON.parse(pushToken)).toMatchObject({ endpoint: pushService.url, applicationServerKey: vapidPublicKey })

    // A page of another origin asks while the phone is in the pocket. The notification opens the request.
    const context = phone.context()
    await phone.close()
    await askForPayment(shop, { amount: '1250.50', recipient: 'ACME GmbH' })
    const asked = await messageOf('confirmation.requested')
    await deliver(asked)
    await click()
    phone = await openApprover(stage, context, address)
    await button(phone, 'Approve').waitFor()
    // With the page open, the notification leads away from the screen on which the person is.
    await phone.goto(`${address}#/history`)
    await phone.reload()
    await deliver(asked)
    await click()
    await button(phone, 'Approve').waitFor()
    expect(await words(phone)).toEqual(['Amount: 1,250.50 EUR', 'Recipient: ACME GmbH', expect.stringMatching(/^Asked by: \S/)])
    expect(await phone.getByText(/^\u2068\d\d:\d\d\u2069 left$/).count()).toBe(1)
    await deliver(asked)
    await button(phone, 'Approve').click()
    await phone.getByRole('heading', { name: 'Approved' }).waitFor()
    await expect.poll(() => phone.evaluate('globalThis.closedTags')).toEqual([asked.confirmationId])
    await openReceipt(phone)
    const receipt = await takeReceipt(phone)
    const issuer = await createClient({ baseUrl: service }).receipts.keys()
    expect(await verifyReceipt(receipt, { keys: issuer })).toMatchObject({ verdict: 'genuine' })
    await deliver(asked)
    await deliver({ ...asked, type: 'confirmation.settled', title: 'The request is settled' })

    // The phone is lost. Another one has the passkey of the same account, and approves with it.
    const other = await open()
    if (passkey !== undefined) await (await addAuthenticator(other)).addCredential(passkey)
    await button(other, 'Sign in with a passkey').click()
    const live = other.waitForResponse((response) => response.url().endsWith('/auth/events') && response.ok())
    await button(other, 'Approve with a passkey instead').click()
    await live
    await askForPayment(shop, { amount: '2', recipient: 'Eve' })
    await openRequest(other)
    const verifying = other.waitForRequest('**/verify')
    await button(other, 'Approve').click()
    const assertion = (await verifying).postDataJSON() as object
    expect(Object.keys(assertion).sort()).toEqual(['authenticatorData', 'clientDataJSON', 'credentialId', 'signature'])
    await other.getByRole('heading', { name: 'Approved' }).waitFor()
    await openReceipt(other)
    await other.getByRole('link', { name: 'Account' }).click()
    await button(other, 'Sign out').click()
    await button(other, 'Continue').click()

    // A code of the administrator makes the new phone trusted. It removes the lost one.
    await other.getByText('this session', { exact: true }).waitFor()
    await stopUsing(other)
    const enrolmentCode = await stage.server.enrolmentCode(user.email)
    await enrol(other, user, enrolmentCode)
    await other.getByText('Nothing waits for you').waitFor()
    await other.getByRole('link', { name: 'Account' }).click()
    await other.getByRole('button', { name: 'Remove \u2068Chrome on Linux\u2069' }).click()
    await confirm(other, 'Remove')
    await other.getByRole('status').getByText('is removed').waitFor()
    await phone.getByRole('heading', { name: 'This phone was removed' }).waitFor()

    await other.getByText('Lock my account').first().click()
    await button(other, 'Lock my account').click()
    await other.getByRole('heading', { name: 'Your account is locked' }).waitFor()
    await shop.web.button('Ask for approval').click()
    await expect.poll(shop.web.signedIn).toBe('')
  }, 120_000)
})
