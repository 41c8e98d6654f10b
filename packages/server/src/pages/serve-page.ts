import type { Context, Hono } from 'hono'
import { type Answer, exchange, type Place } from '../http/exchange.ts'
import type { Host } from '../http/host.ts'
import { mapMaybe } from '../http/maybe-promise.ts'
import { WireRefusal } from '../http/refusals.ts'
import { respond } from '../http/respond.ts'
import type { PageFile, PageFiles } from './page-files.ts'

/** Something that `createApp` mounts beside the operations. */
export interface Page {
  readonly mount: (app: Hono, host: Host) => void
}

/** Makes an answer, and may add to its headers. */
export type Work = (answerHeaders: Record<string, string>) => Promise<Answer>

/** What a page answers, with the type of its content. */
export interface Content {
  readonly text: string
  readonly contentType: string
}

/** Answers GET and HEAD, and any other method with the two that there are. */
export const serveAt = (app: Hono, host: Host, path: string, work: (c: Context) => Work): void => {
  const place: Place = { route: path.replace(':file', '{file}'), errorForm: 'authentication', isRoutine: false }
  app.all(path, (c) => {
    const sent = exchange(host, c.req.raw, place, async (headers) => {
      const answer = work(c)
      if (c.req.raw.method !== 'GET' && c.req.raw.method !== 'HEAD') {
        throw new WireRefusal('method_not_allowed', { Allow: 'GET, HEAD' })
      }
      return answer(headers)
    })
    return mapMaybe(sent, respond)
  })
}

/** Sends content. Like every answer it is not to be kept, so it has nothing by which one could ask whether it is still right. */
export const sendContent = ({ text, contentType }: Content, headers: Record<string, string>): Answer => {
  headers['Content-Type'] = contentType
  return { status: 200, body: text }
}

/** Serves `index.html` at the path, and the page's other files below it, under a policy of the page's own. */
export const servePage = (
  app: Hono,
  host: Host,
  {
    path,
    files,
    contentSecurityPolicy,
  }: { readonly path: string; readonly files: PageFiles; readonly contentSecurityPolicy: string },
): void => {
  const send =
    (file: Promise<PageFile> | undefined): Work =>
    async (headers) => {
      if (file === undefined) throw new WireRefusal('route_not_found')
      headers['Content-Security-Policy'] = contentSecurityPolicy
      return sendContent(await file, headers)
    }
  serveAt(app, host, path, () => send(files('index.html')))
  serveAt(app, host, `${path}/:file`, (c) => {
    const name = c.req.param('file') ?? ''
    const file = name === 'index.html' ? undefined : files(name)
    if (file === undefined) throw new WireRefusal('route_not_found')
    return send(file)
  })
}
