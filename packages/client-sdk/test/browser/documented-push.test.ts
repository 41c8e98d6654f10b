import { readFileSync } from 'node:fs'
import { createTestUser, testPassword } from '@countersign/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeInBrowser } from '../../../../tools/testing/browser/open-browser.ts'
import { type PushedMessage, watchWorker } from '../../../../tools/testing/browser/watch-worker.ts'
import { createPush } from '../../../server/src/identity/push/create-push.ts'
import { decryptPush, exampleKeys, subscriptionToken } from '../../../server/src/testing/browser-subscription.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../../../server/src/testing/webhook-receiver.ts'
import { bundleClient } from '../../src/testing/bundle-client.ts'
import { type ClientPages, openClientPages } from './client-pages.ts'

/** The blocks of the page for web apps: the code of the page, and of the service worker. */
const [inPage = '', inWorker = ''] = readFileSync(new URL('../../../../docs/push.md', import.meta.url), 'utf8')
  .split('```js by=packages/client-sdk/test/browser/documented-push.test.ts\n')
  .slice(1)
  .map((rest) => rest.split('\n```')[0])
const vapidPublicKey = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'

describeInBrowser('what the page about push says of web apps', () => {
  let pages: ClientPages
  let pushService: WebhookReceiver
  beforeAll(async () => {
    ;[pages, pushService] = await Promise.all([openClientPages({ rateLimits: 'off' }), startWebhookReceiver()])
    pages.files.set('/worker.js', ['text/javascript', (await bundleClient(inWorker)).code])
  })
  afterAll(() => Promise.all([pages?.close(), pushService?.close()]))

  it('the documented page subscribes, shows one notification for each request and one for the account, and opens the clicked one', async () => {
    const { test } = pages
    const page = await pages.openTab()
    const { email } = await createTestUser(test)
    // The browser of a test has no push service. It refuses a subscription without an active worker, as Chromium does.
    await page.evaluate((subscription) => {
      PushManager.prototype.subscribe = async (options) => {
        const registration = await navigator.serviceWorker.getRegistration()
        if (!registration?.active) throw new DOMException('Subscription failed - no active Service Worker', 'AbortError')
        Object.assign(globalThis, { subscribed: options })
        return { toJSON: () => JSON.parse(subscription) } as PushSubscription
      }
    }, subscriptionToken(pushService.url))
    await page.evaluate(
      async (given) => {
        const client = sdk.createClient({ baseUrl: location.origin, store: sdk.browserTokenStore() })
        await client.auth.login(given.login)
        const signer = await sdk.webCryptoSigner({ name: 'documented-push' })
        const { deviceId } = await client.devices.register({ deviceName: 'A browser', deviceType: 'desktop', signer })
        Object.assign(globalThis, { client, deviceId, vapidPublicKey: given.vapidPublicKey })
      },
      { login: { email, password: testPassword }, vapidPublicKey },
    )
    await page.evaluate(`(async () => { ${inPage} })()`)
    expect(await page.evaluate('globalThis.subscribed')).toEqual({ userVisibleOnly: true, applicationServerKey: vapidPublicKey })

    const { provider } = await createPush(
      [
        {
          ...{ provider: 'webpush', publicKey: vapidPublicKey, privateKey: exampleKeys.privateKey },
          ...{ subject: 'mailto:ops@example.com', hosts: [], loopback: true },
        },
      ],
      { logger: test.logger, clock: test.clock },
    )
    pushService.answerWith(201)
    const { run, send } = await watchWorker(page)
    // The worker notes its notifications, because it cannot read their options again.
    await run(`{
      globalThis.shown = []
      const { showNotification } = ServiceWorkerRegistration.prototype
      ServiceWorkerRegistration.prototype.showNotification = async function (title, options) {
        await showNotification.call(this, title, options)
        shown.push({ title, ...options })
      }
      clients.matchAll = async () => []
      clients.openWindow = async (url) => void (globalThis.opened = url)
    }`)
    let count = 0
    /** Sends the newest message of the service through the push service of the browser. Resolves with its notification. */
    const deliverNewest = async (type: string): Promise<Readonly<Record<string, unknown>>> => {
      await test.background.drain()
      const message = test.push.sent.at(-1)
      if (message?.type !== type) throw new Error(`The newest message is ${message?.type}`)
      await provider.send(message)
      const pushed = JSON.parse(decryptPush(pushService.received.at(-1)?.bytes ?? new Uint8Array())) as PushedMessage
      await send(pushed)
      count += 1
      await expect.poll(() => run('shown.length')).toBe(count)
      return run('shown.at(-1)')
    }
    /** Clicks the newest notification. Resolves with the address that opens, and how often the notification was closed. */
    const click = (): Promise<unknown> =>
      run(`new Promise((resolve) => {
        let closed = 0
        const notification = { ...shown.at(-1), close: () => (closed += 1) }
        const waitUntil = (work) => work.then(() => resolve([globalThis.opened ?? null, closed]))
        dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil }))
      })`)

    await page.evaluate(async () => {
      const { client } = globalThis as unknown as { readonly client: ReturnType<typeof sdk.createClient> }
      const actionPayload = { documentId: 'doc-7', documentName: 'Lease' }
      const { confirmationId } = await client.confirmations.initiate({ actionType: 'document_approval', actionPayload })
      Object.assign(globalThis, { confirmationId })
    })
    const confirmationId = await page.evaluate('confirmationId')
    const asked = { title: 'A request waits', lang: 'en', tag: confirmationId, silent: false }
    expect(await deliverNewest('confirmation.requested')).toMatchObject(asked)
    await page.evaluate('client.confirmations.withdraw({ confirmationId })')
    const settled = { title: 'The request is settled', tag: confirmationId, silent: true }
    expect(await deliverNewest('confirmation.settled')).toMatchObject(settled)
    expect(await click()).toEqual([`/requests/${confirmationId}`, 1])

    await page.evaluate(async () => {
      const { client } = globalThis as unknown as { readonly client: ReturnType<typeof sdk.createClient> }
      await client.devices.register({ deviceName: 'A phone', deviceType: 'mobile', signer: await sdk.webCryptoSigner() })
    })
    expect(await deliverNewest('account.changed')).toMatchObject({ tag: expect.stringMatching(/^notice_/), silent: false })
    expect(await click()).toEqual(['/', 1])

    // A window that is open shows what was clicked, and no second window opens.
    await run(`{
      delete globalThis.opened
      clients.matchAll = async () => [{ navigate: async (url) => ({ focus: async () => { globalThis.moved = url; return {} } }) }]
    }`)
    expect([await click(), await run('moved')]).toEqual([[null, 1], '/'])
    // An empty push shows something too.
    const dispatch = (event: string) =>
      run(`new Promise((resolve, reject) => {
        const waitUntil = (work) => work.then(() => resolve(), reject)
        dispatchEvent(Object.assign(${event}, { waitUntil }))
      })`)
    await dispatch(`new PushEvent('push')`)
    expect(await run('shown.at(-1)')).toMatchObject({ title: 'Open the app', tag: 'push' })
    // The worker sends another subscription to the service.
    const again = JSON.stringify(subscriptionToken(`${pushService.url}/again`))
    await dispatch(`Object.assign(new Event('pushsubscriptionchange'), {
      oldSubscription: { options: {} },
      newSubscription: { toJSON: () => JSON.parse(${again}) },
    })`)
    await test.background.drain()
    expect(test.push.sent.at(-1)).toMatchObject({ type: 'account.changed', change: 'push_token_changed' })
  }, 120_000)
})
