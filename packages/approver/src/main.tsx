import { render } from 'preact'
import { App } from './app.tsx'
import { applyColour } from './brand.tsx'
import { renewNotifications } from './notifications.ts'
import { resume } from './phone.ts'
import { settings } from './settings.ts'
import { watchStopped } from './stopped.ts'
import { stored } from './stored.ts'
import { watchInbox } from './waiting-requests.ts'
import { startLanguage } from './words.ts'

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/** The only script that this page ever loads by its address. */
const WORKER = 'worker.js'

/** Goes to the request whose notification has just opened this page. */
const followNotification = async (): Promise<void> => {
  const cache = await caches.open('countersign-approver')
  const clicked = await cache.match('clicked')
  if (clicked === undefined) return
  await cache.delete('clicked')
  location.hash = new URL(await clicked.text()).hash
}

/** Installs the worker that opens the page without a connection. A browser without workers works without it. */
const installWorker = (): void => {
  if (!('serviceWorker' in navigator)) return
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('countersign-approver', { createScriptURL: () => WORKER })
  navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER).catch(() => {})
}

applyColour()
// An earlier page kept the answers of the person here. The history comes from the service.
stored.write('answers', undefined)
// An iPhone prefers this icon to the icons of the manifest. The first icon of the manifest is the logo of the host.
if (settings.logoUrl !== null) document.querySelector('link[rel="apple-touch-icon"]')?.remove()
// If the browser stores no data for this page, there is no notification to follow.
await Promise.all([startLanguage(), followNotification().catch(() => {})])
render(<App />, document.body)
await resume()
watchInbox()
watchStopped()
installWorker()
renewNotifications()
