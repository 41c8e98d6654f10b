import type { Hono } from 'hono'
import type { Host } from '../../http/host.ts'
import type { PageFiles } from '../page-files.ts'
import { serveAt, servePage } from '../serve-page.ts'
import type { PlaygroundSettings } from './playground.ts'

export interface PageSource {
  readonly files: PageFiles
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

/** Mounts the page, its files and its settings. */
export const mountPlayground = (app: Hono, host: Host, { files, settings }: PageSource): void => {
  const { relyingParty, demoUser } = settings
  const shownUser = demoUser === undefined ? null : { email: demoUser.email, password: demoUser.password }
  const settingsJson = (): string => JSON.stringify({ origins: relyingParty.origins, demoUser: shownUser })

  serveAt(app, host, '/playground/settings.json', () => async () => ({ status: 200, body: settingsJson() }))
  servePage(app, host, { path: '/playground', files, contentSecurityPolicy: CONTENT_SECURITY_POLICY })
}
