import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { watchWorker } from '../../../../tools/testing/browser/watch-worker.ts'
import { repository } from '../../../../tools/workspace.ts'
import { describeOnStage } from '../../../playground/test/browser/stage.ts'
import { subscriptionToken } from '../../../server/src/testing/browser-subscription.ts'
import { button, enrol, openApprover } from './approver-page.ts'

const built = (name: string): Promise<string> => readFile(`${repository}/packages/server/dist/approver/page/${name}`, 'utf8')

/** Returns a newer version of the page and of its script. Each leaves a mark in the page. */
const newerVersion = async () => {
  const script = `document.documentElement.dataset.script = 'new';${await built('approver.js')}`
  const digest = createHash('sha256').update(script).digest('hex').slice(0, 16)
  const page = (await built('index.html'))
    .replace(/approver\.js\?\w+/, `approver.js?${digest}`)
    .replace('<html', '<html data-page="new"')
  return { page: ['text/html', page], script: ['text/javascript', script] } as const
}

describeOnStage('the worker of the page at /approve/', (stage) => {
  const open = async (page: Page): Promise<unknown> => {
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    return page.evaluate(() => ({ ...document.documentElement.dataset, name: document.querySelector('header')?.textContent }))
  }

  it('the service worker opens a new page only with its own script, caches no page of the host as a file, and works offline', async () => {
    const { page: address, host } = await stage.server.startStaticPage({ name: 'Example Bank' }, {})
    const page = await openApprover(stage, undefined, address)
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    const newer = await newerVersion()
    // The host is halfway through an update.
    host.replaced.set('index.html', newer.page)
    expect(await open(page)).toEqual({ name: 'Example Bank' })
    host.replaced.set('approver.js', newer.script)
    expect(await open(page)).toEqual({ name: 'Example Bank', page: 'new', script: 'new' })
    const other = ['text/html', '<!doctype html><title>Sign in to this network</title>'] as const
    for (const name of ['index.html', 'approver.js', 'style.css', 'settings.json', 'icon.svg']) host.replaced.set(name, other)
    expect(await open(page)).toEqual({ name: 'Example Bank', page: 'new', script: 'new' })
    host.close()
    expect(await open(page)).toEqual({ name: 'Example Bank', page: 'new', script: 'new' })
  })

  it('the service worker shows a notification for an empty push, renews a subscription, and opens a new window if needed', async () => {
    const { page: address } = await stage.server.startStaticPage({ name: 'Example Bank', vapidPublicKey: 'BPub' }, {})
    const context = await stage.newContext()
    await context.addInitScript((first) => {
      PushManager.prototype.subscribe = async () =>
        ({ toJSON: () => JSON.parse(localStorage.getItem('subscription') ?? first) }) as PushSubscription
    }, subscriptionToken('https://push.example.com/first'))
    const page = await openApprover(stage, context, address)
    const told: { readonly pushToken: string }[] = []
    page.on('request', (request) => request.url().endsWith('/push-token') && told.push(request.postDataJSON()))
    await enrol(page, await stage.server.createUser())
    const { run } = await watchWorker(page)
    await run(`{
      Object.assign(globalThis, { shown: [], subscribed: [] })
      ServiceWorkerRegistration.prototype.showNotification = async (...given) => void shown.push(given)
      PushManager.prototype.subscribe = async (options) => void subscribed.push(options)
    }`)
    /** Makes an event in the worker. Resolves when the work of the event is done. */
    const dispatch = (event: string): Promise<void> =>
      run(`new Promise((resolve, reject) => {
        const event = ${event}
        event.waitUntil = (work) => work.then(() => resolve(), reject)
        dispatchEvent(event)
      })`)
    const shown = () => run('shown.splice(0).map(([title, { body, tag }]) => [title, body, tag])')

    await dispatch(`new PushEvent('push')`)
    expect(await shown()).toEqual([['Countersign', undefined, 'push']])
    await dispatch(`new Event('pushsubscriptionchange')`)
    expect(await run('subscribed')).toEqual([])
    await page.getByRole('link', { name: 'Account' }).click()
    await button(page, 'Notify this phone of requests').click()
    await page.getByRole('status').getByText('This phone is notified of requests').waitFor()
    for (const data of ['', `{ data: 'no JSON' }`, `{ data: 'null' }`, `{ data: '{"title":7}' }`])
      await dispatch(`new PushEvent('push', ${data || '{}'})`)
    const own = ['Example Bank', 'Open this page to see what waits for you.', 'push']
    expect(await shown()).toEqual([own, own, own, own])

    // An open page sends the new subscription to the service. If no page is open, a notification asks the person to open one.
    await page.evaluate(
      (second) => localStorage.setItem('subscription', second),
      subscriptionToken('https://push.example.com/second'),
    )
    await dispatch(`new Event('pushsubscriptionchange')`)
    await expect.poll(() => told.at(-1)?.pushToken).toContain('/second')
    expect([await shown(), await run('subscribed')]).toEqual([[], [{ userVisibleOnly: true, applicationServerKey: 'BPub' }]])
    await run('clients.matchAll = async () => []')
    await dispatch(`new Event('pushsubscriptionchange')`)
    expect(await shown()).toEqual([own])

    await run('clients.openWindow = async (url) => void (globalThis.opened = url)')
    for (const [id, window] of [
      ['conf_1', `{ navigate: async () => { throw new TypeError('not controlled') } }`],
      [
        'conf_2',
        `{ navigate: async () => ({ focus: async () => { throw new DOMException('no gesture', 'InvalidAccessError') } }) }`,
      ],
      ['conf_3', '{ navigate: async () => null }'],
    ]) {
      await run(`clients.matchAll = async () => [${window}]`)
      const notification = `{ close: () => {}, data: { confirmationId: '${id}' } }`
      await dispatch(`Object.assign(new Event('notificationclick'), { notification: ${notification} })`)
      expect(await run('opened')).toBe(`${address}#/request/${id}`)
    }
  })
})
