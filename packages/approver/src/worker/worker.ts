/** The worker opens the page without a connection, and shows its messages. It never touches calls to the service. */
import { addressOf, answerFor, CACHE, keepAll, readKept } from './kept-files.ts'

const worker = self as unknown as ServiceWorkerGlobalScope

worker.addEventListener('install', (event) => {
  event.waitUntil(keepAll())
  void worker.skipWaiting()
})

worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

worker.addEventListener('fetch', (event) => {
  const answer = answerFor(event.request)
  if (answer !== undefined) event.respondWith(answer)
})

interface PushText {
  readonly title: string
  readonly body: string
  readonly lang: string
  readonly type: string
  readonly confirmationId: string
  readonly noticeId: string
}

/** The words for a push message without content. The page stores the words while notifications are on. */
interface OwnWords {
  readonly title: string
  readonly body: string
  readonly lang: string
}

const readPush = (data: PushMessageData | null): Partial<PushText> => {
  try {
    return (data?.json() ?? {}) as Partial<PushText>
  } catch {
    return {}
  }
}

/** Shows a notification. Browsers end the subscription of a page that shows none. A later one with the same tag replaces it. */
const show = async ({ type = 'push', confirmationId, noticeId, ...given }: Partial<PushText>): Promise<void> => {
  const own = typeof given.title === 'string' ? undefined : await readKept<OwnWords>('own-words')
  const { title = 'Countersign', ...words } = own ?? given
  const shown = { ...words, icon: 'icon-512.png', tag: confirmationId ?? noticeId ?? type, data: { confirmationId } }
  await worker.registration.showNotification(title, { ...shown, silent: type === 'confirmation.settled' })
}

worker.addEventListener('push', (event) => event.waitUntil(show(readPush(event.data))))

/** Subscribes again after the browser dropped the subscription. Only a page can send it, so a notification asks for one. */
const renewSubscription = async (): Promise<void> => {
  const [own, settings] = await Promise.all([
    readKept<OwnWords>('own-words'),
    readKept<{ vapidPublicKey: string }>('settings.json'),
  ])
  if (own === undefined || settings?.vapidPublicKey === undefined) return
  await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: settings.vapidPublicKey })
  const pages = await worker.clients.matchAll({ type: 'window' })
  for (const page of pages) page.postMessage('subscribed')
  if (pages.length === 0) await show({})
}

worker.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renewSubscription()))

/** Opens an address in a window of the page, if there is one and it can be moved there, else in a new one. */
const open = async (address: string): Promise<void> => {
  const [window] = await worker.clients.matchAll({ type: 'window' })
  const shown = await window
    ?.navigate(address)
    .then((moved) => moved?.focus())
    .catch(() => undefined)
  if (shown !== undefined) return
  // On an iPhone, the installed page always opens at its start (WebKit bug 259212). The page then reads the wanted address here.
  await (await caches.open(CACHE)).put('clicked', new Response(address))
  await worker.clients.openWindow(address)
}

worker.addEventListener('notificationclick', (event) => {
  const { confirmationId } = event.notification.data as Pick<Partial<PushText>, 'confirmationId'>
  event.notification.close()
  event.waitUntil(open(addressOf(confirmationId === undefined ? './' : `./#/request/${encodeURIComponent(confirmationId)}`)))
})
