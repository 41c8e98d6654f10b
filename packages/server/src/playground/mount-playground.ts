import type { Context, Hono } from 'hono'
import { type Answer, exchange } from '../exchange.ts'
import type { Host } from '../host.ts'
import { WireRefusal } from '../wire/refusals.ts'
import { type FileName, isFileName, type PageFile } from './files.ts'
import type { PlaygroundSettings } from './playground.ts'

export interface PageSource {
  readonly files: (name: FileName) => Promise<PageFile>
  readonly settings: PlaygroundSettings
}

/**
 * The page runs its own script, wears its own style and talks to its own server, and nothing else: no inline code, no
 * other origin, no frame, no form that is sent by the browser, no text that becomes markup (Trusted Types).
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** Whether the client holds this very content already (RFC 9110 §13.1.2). */
const isKnown = (request: Request, { etag }: PageFile): boolean => {
  const given = request.headers.get('if-none-match')
  if (given === null) return false
  return given.trim() === '*' || given.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

type Work = (answerHeaders: Record<string, string>) => Promise<Answer>

/** Answers GET and HEAD, and any other method with the two that there are. */
const serve = (app: Hono, host: Host, path: string, work: (c: Context) => Work): void => {
  app.all(path, (c) =>
    exchange(host, c.req.raw, { route: path.replace(':file', '{file}'), errorForm: 'authentication' }, async (headers) => {
      const answer = work(c)
      if (c.req.raw.method !== 'GET' && c.req.raw.method !== 'HEAD') {
        throw new WireRefusal('method_not_allowed', { Allow: 'GET, HEAD' })
      }
      return answer(headers)
    }),
  )
}

/** Mounts the page, its files and its settings. Kept copies are used only after asking whether they are still right. */
export const mountPlayground = (app: Hono, host: Host, { files, settings }: PageSource): void => {
  const { relyingParty, demoUser } = settings
  const shownUser = demoUser === undefined ? null : { email: demoUser.email, password: demoUser.password }
  const settingsJson = (): string => JSON.stringify({ origins: relyingParty.origins, demoUser: shownUser })

  const send =
    (c: Context, name: FileName): Work =>
    async (headers) => {
      const file = await files(name)
      Object.assign(headers, {
        'Content-Security-Policy': CONTENT_SECURITY_POLICY,
        'Cache-Control': 'no-cache',
        ETag: file.etag,
      })
      if (isKnown(c.req.raw, file)) return { status: 304, body: null }
      headers['Content-Type'] = file.contentType
      return { status: 200, body: file.text }
    }

  serve(app, host, '/playground', (c) => send(c, 'index.html'))
  serve(app, host, '/playground/settings.json', () => async () => ({ status: 200, body: settingsJson() }))
  serve(app, host, '/playground/:file', (c) => {
    const name = c.req.param('file') ?? ''
    if (name === 'index.html' || !isFileName(name)) throw new WireRefusal('route_not_found')
    return send(c, name)
  })
}
