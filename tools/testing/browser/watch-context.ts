import type { BrowserContext, ConsoleMessage } from 'playwright-core'

/** What pages did, from the moment on at which they are watched. */
export interface Watched {
  /** Errors and warnings of the console and exceptions that nobody caught, in words. */
  readonly complaints: readonly string[]
  /** The URL of every request, those of workers and WebSockets included, and those that failed. */
  readonly requests: readonly string[]
}

/** Chromium's note of an answer of the API that refuses: the page shows the refusal to its user, and tests read it there. */
const isRefusal = (message: ConsoleMessage): boolean =>
  /^Failed to load resource: the server responded with a status of 4\d\d /.test(message.text()) &&
  /^\/(?:api|internal)\//.test(URL.parse(message.location().url)?.pathname ?? '')

/** Watches every page of a context, those included that are opened later. */
export const watchContext = (context: BrowserContext): Watched => {
  const complaints: string[] = []
  const requests: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isRefusal(message)) complaints.push(message.text())
  })
  context.on('weberror', (webError) => complaints.push(String(webError.error())))
  context.on('page', (page) => page.on('websocket', (socket) => requests.push(socket.url())))
  return { complaints, requests }
}
