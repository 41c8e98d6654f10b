import { effect, untracked } from '@preact/signals'
import { PageError } from './action-outcome.ts'
import { isAppleBrowser } from './install.ts'
import { client, keep, phone, signedIn, tokenHolder } from './phone.ts'
import { settings } from './settings.ts'
import { language, t } from './words.ts'

const { vapidPublicKey } = settings

/** True if the service sends Web Push, and the browser takes it. */
export const canNotify = vapidPublicKey !== null && 'PushManager' in globalThis && 'serviceWorker' in navigator

/** True if this is a page in the browser of an iPhone or iPad, which takes Web Push only in the installed page. */
export const mustInstall = vapidPublicKey !== null && isAppleBrowser

/** Returns whether notifications were switched on, and the browser still shows them. */
export const isNotified = (): boolean => phone.value?.notified !== undefined && Notification.permission === 'granted'

/** Stores texts of the page for the worker, which has none, or removes them. A browser may refuse to store data. */
const keepOwnWords = async (words?: object): Promise<void> => {
  try {
    const cache = await caches.open('countersign-approver')
    if (words === undefined) await cache.delete('own-words')
    else await cache.put('own-words', new Response(JSON.stringify(words)))
  } catch {
    // The worker then has words in English.
  }
}

/** Subscribes this browser, and sends the subscription to the service, unless the service already has it. */
const subscribe = async (): Promise<void> => {
  const { pushManager } = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: vapidPublicKey }
  const subscription = await pushManager.subscribe(options).catch(async () => {
    // The browser is still subscribed with a former key of the service.
    await (await pushManager.getSubscription())?.unsubscribe()
    return pushManager.subscribe(options)
  })
  await keepOwnWords({ title: settings.name, body: t('notifyOpen'), lang: language.peek() })
  const token = { pushToken: JSON.stringify(subscription), language: language.peek() }
  const now = phone.peek()
  if (now === undefined || now.notified === JSON.stringify(token)) return
  await client.devices.setPushToken({ ...tokenHolder(), ...token })
  if (phone.peek()?.deviceId === now.deviceId) keep({ ...now, notified: JSON.stringify(token) })
}

export const startNotifying = async (): Promise<void> => {
  if ((await Notification.requestPermission()) !== 'granted') throw new PageError(t('notifyDenied'))
  await subscribe()
}

export const stopNotifying = async (): Promise<void> => {
  const now = phone.peek()
  if (now === undefined) return
  await client.devices.setPushToken({ ...tokenHolder(), pushToken: null })
  keep({ ...now, notified: undefined })
  await keepOwnWords()
  const { pushManager } = await navigator.serviceWorker.ready
  await (await pushManager.getSubscription())?.unsubscribe()
}

/** Keeps notifications arriving after the browser has changed or dropped its subscription, and in the language of the page. */
export const renewNotifications = (): void => {
  // Without a connection, the next start of the page does the same.
  const renew = () => void (canNotify && untracked(isNotified) && subscribe().catch(() => {}))
  effect(() => {
    if (signedIn.value && language.value) renew()
  })
  // The worker has subscribed again.
  navigator.serviceWorker?.addEventListener('message', renew)
}
