/**
 * Replaces the push message between the windows of one browser and the panes of one page. Like a push message, a knock says
 * that something has changed, without saying what. Without a knock, each side learns of changes by polling.
 */
const channel = new BroadcastChannel('countersign-playground')
const listeners = new Set<() => void>()

const tell = (): void => {
  for (const listener of listeners) listener()
}

channel.addEventListener('message', tell)

export const knock = (): void => {
  channel.postMessage('changed')
  tell()
}

/** @returns a function that removes the listener */
export const onKnock = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
