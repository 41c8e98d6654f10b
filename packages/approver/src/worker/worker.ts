/** The worker of the page: it opens the page without a connection. It never touches the calls to the service. */
const worker = self as unknown as ServiceWorkerGlobalScope

const CACHE = 'countersign-approver'
const SHELL = ['./', 'approver.js', 'style.css', 'icon.svg', 'settings.json', 'manifest.webmanifest']
/** Milliseconds after which a slow connection counts as none. */
const PATIENCE = 4000

const addressOf = (path: string): string => new URL(path, worker.registration.scope).href

/** Returns a file from the network, and keeps it for later; from the cache if the network does not answer in time. */
const fetchFile = async (request: Request): Promise<Response> => {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request, { ignoreSearch: true })
  const fetching = fetch(request).then(async (response) => {
    if (response.ok) await cache.put(request, response.clone())
    return response
  })
  if (kept === undefined) return fetching
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(kept), PATIENCE))
  return Promise.race([fetching.catch(() => kept), late])
}

worker.addEventListener('install', (event) => {
  // A static host may lack a file. The others still open the page without a connection.
  event.waitUntil(caches.open(CACHE).then((cache) => Promise.allSettled(SHELL.map((file) => cache.add(file)))))
  void worker.skipWaiting()
})

worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()))

interface PushText {
  readonly title: string
  readonly body: string
  readonly lang?: string
  readonly type: string
  readonly confirmationId?: string
  readonly noticeId?: string
}

/** Shows a message of the service. A later message about the same request replaces it. */
worker.addEventListener('push', (event) => {
  if (event.data === null) return
  const { title, body, lang = '', type, confirmationId, noticeId } = event.data.json() as PushText
  const shown = { body, lang, icon: 'icon-512.png', tag: confirmationId ?? noticeId ?? type, data: { confirmationId } }
  event.waitUntil(worker.registration.showNotification(title, { ...shown, silent: type === 'confirmation.settled' }))
})

/** Opens the request in a window of the page, if there is one, else in a new one. */
worker.addEventListener('notificationclick', (event) => {
  const { confirmationId } = event.notification.data as Pick<PushText, 'confirmationId'>
  const address = addressOf(confirmationId === undefined ? './' : `./#/request/${encodeURIComponent(confirmationId)}`)
  event.notification.close()
  const show = async (): Promise<void> => {
    const [window] = await worker.clients.matchAll({ type: 'window' })
    if (window !== undefined) return void (await (await window.navigate(address))?.focus())
    // The installed page on an iPhone opens at its start, whatever the address (WebKit bug 259212), and then reads it here.
    await (await caches.open(CACHE)).put('clicked', new Response(address))
    await worker.clients.openWindow(address)
  }
  event.waitUntil(show())
})

worker.addEventListener('fetch', (event) => {
  const url = event.request.url.split(/[?#]/)[0] ?? ''
  if (event.request.method === 'GET' && SHELL.some((path) => addressOf(path) === url)) event.respondWith(fetchFile(event.request))
})
