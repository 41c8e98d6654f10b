import type { Page, Worker } from 'playwright-core'
import { expect } from 'vitest'

/** A message as a service worker gets it. */
export interface PushedMessage {
  readonly type: string
  /** The id of the request; absent for a message about the account. */
  readonly confirmationId?: string
  readonly title: string
}

/** Opens the way of push messages to the service worker of a page, which the push service of a browser has. */
export const watchWorker = async (page: Page) => {
  const context = page.context()
  const { origin } = new URL(page.url())
  await context.grantPermissions(['notifications'], { origin })
  // A page of its own, so that the phone can close the page.
  const session = await context.newCDPSession(await context.newPage())
  // A page without the focus gets no passkey.
  await page.bringToFront()
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [one] }) => one && resolve(one.registrationId))
  })
  await session.send('ServiceWorker.enable')
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
  const registrationId = await registered
  const run = <T>(script: string): Promise<T> => (context.serviceWorkers()[0] as Worker).evaluate(script)
  /** Hands a message to the service worker, and does not wait for what it does. */
  const send = async (message: PushedMessage): Promise<void> => {
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(message) })
  }
  return {
    /** Runs a script in the service worker. */
    run,
    send,
    /**
     * Delivers a message. Resolves when its notification shows, and no other of the same request. Chromium forgets a notification
     * if a script asks for the shown ones before it is on the screen, so the promise of the page's call is awaited first.
     */
    deliver: async (message: PushedMessage): Promise<void> => {
      await run(`globalThis.showing = new Promise((resolve) => {
        registration.showNotification = (...shown) => {
          delete registration.showNotification
          return registration.showNotification(...shown).finally(resolve)
        }
      }); undefined`)
      await send(message)
      await run('showing')
      const shown = await run(`registration.getNotifications().then((all) => all.map(({ tag, title }) => tag + ': ' + title))`)
      expect(shown).toEqual([`${message.confirmationId}: ${message.title}`])
    },
    /** Clicks the notification. An event of a script opens no window, so the result is the same as on an iPhone. */
    click: async (): Promise<void> => {
      await run(`registration.getNotifications().then(([notification]) => {
        const event = new NotificationEvent('notificationclick', { notification })
        return new Promise((resolve) => {
          event.waitUntil = (work) => work.catch(() => {}).then(resolve)
          dispatchEvent(event)
        })
      })`)
    },
  }
}
