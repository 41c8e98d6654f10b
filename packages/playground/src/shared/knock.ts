/**
 * Plays the push message between the windows of one browser, and between the panes of one page: it says that something
 * has changed and not what, as a push message of the service does. Without it, each side finds out by asking.
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

/** @returns what ends the listening */
export const onKnock = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
