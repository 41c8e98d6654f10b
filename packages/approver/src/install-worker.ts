interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string }
}

/** The only script that this page ever loads by its address. */
const WORKER = 'worker.js'

/** Goes to the request whose notification has just opened this page. */
export const followNotification = async (): Promise<void> => {
  const cache = await caches.open('countersign-approver')
  const clicked = await cache.match('clicked')
  if (clicked === undefined) return
  await cache.delete('clicked')
  location.hash = new URL(await clicked.text()).hash
}

/** Installs the worker that opens the page without a connection. A browser without workers works without it. */
export const installWorker = (): void => {
  if (!('serviceWorker' in navigator)) return
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('countersign-approver', { createScriptURL: () => WORKER })
  navigator.serviceWorker.register(policy?.createScriptURL(WORKER) ?? WORKER).catch(() => {})
}
