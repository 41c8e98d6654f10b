import type { BrowserContext, ConsoleMessage } from 'playwright-core'

/** The activity of pages since they are watched. */
export interface Watched {
  /** Errors and warnings of the console, and uncaught exceptions. */
  readonly complaints: readonly string[]
  /** The URLs of all requests, including failed requests and requests of workers and WebSockets. */
  readonly requests: readonly string[]
}

/**
 * Returns whether a message is Chromium's note of an error response of the API. The page shows such errors to its user, and
 * tests read them there.
 */
const isRefusal = (message: ConsoleMessage): boolean =>
  /^Failed to load resource: the server responded with a status of 4\d\d /.test(message.text()) &&
  /^\/(?:api|internal)\//.test(URL.parse(message.location().url)?.pathname ?? '')

/** Returns whether a message is Chromium's note that the test has taken the connection away. */
const isCutOff = (message: ConsoleMessage): boolean => message.text().includes('net::ERR_INTERNET_DISCONNECTED')

/** Watches all pages of a context, including pages that are opened later. */
export const watchContext = (context: BrowserContext): Watched => {
  const complaints: string[] = []
  const requests: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !isRefusal(message) && !isCutOff(message))
      complaints.push(message.text())
  })
  context.on('weberror', (webError) => complaints.push(String(webError.error())))
  context.on('page', (page) => page.on('websocket', (socket) => requests.push(socket.url())))
  return { complaints, requests }
}
