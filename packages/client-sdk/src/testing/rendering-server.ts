import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createServerSession, type ServerSession, type ServerSessionOptions, type SetCookie } from '../server/index.ts'

/** Appends a cookie to an answer of Node, and throws after the head of the answer was sent. */
const setCookieOf =
  (response: ServerResponse): SetCookie =>
  (name, value, { expires, secure }) => {
    const attributes = `Path=/; HttpOnly; SameSite=Lax; Expires=${expires.toUTCString()}${secure ? '; Secure' : ''}`
    response.appendHeader('set-cookie', `${name}=${value}; ${attributes}`)
  }

type Page = (session: ServerSession, request: IncomingMessage) => Promise<unknown>

/** The pages of the app. */
const pages: Readonly<Record<string, Page>> = {
  '/login': async ({ client }, request) => client.auth.login((await json(request)) as { email: string; password: string }),
  '/logout': (session) => session.signOut(),
  '/user': async (session) => ({ user: await session.user(), mustRenew: session.mustRenew }),
  // As in a server component, and as after the head of the answer.
  '/component': async (session) => ({ user: await session.user(), mustRenew: session.mustRenew }),
  '/late': async (session) => ({ user: await session.user(), mustRenew: session.mustRenew }),
}

/** Starts an app that renders pages, on a port of its own. `optionsOf` returns the options of the next session. */
export const startRenderingServer = async (optionsOf: () => Omit<ServerSessionOptions, 'request'>) => {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://app.test')
    if (pathname === '/late') response.flushHeaders()
    const session = createServerSession({
      ...(pathname === '/component' ? {} : { setCookie: setCookieOf(response) }),
      ...optionsOf(),
      request,
    })
    const shown = await pages[pathname]?.(session, request).catch((error: { code?: string; message: string }) => {
      if (pathname !== '/late') response.statusCode = 500
      return { code: error.code, message: error.message }
    })
    response.end(JSON.stringify(shown ?? {}))
  }
  const app = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(app.address() as AddressInfo).port}`,
    close: (): void => {
      app.closeAllConnections()
      app.close()
    },
  }
}
