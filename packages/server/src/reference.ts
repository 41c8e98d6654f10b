import { createPageFiles } from './pages/page-files.ts'
import type { DemoUser } from './pages/playground/playground.ts'
import { type Page, serveAt, servePage } from './pages/serve-page.ts'

export type { DemoUser } from './pages/playground/playground.ts'

/** Where the build puts the page. It is one folder up, and down again, both from the sources and in the built package. */
const directory = new URL('../dist/reference/page/', import.meta.url)

/** Styles and images of its own besides: the library that shows the document sets some on its elements. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** What the page is told when it opens, as `/docs/settings.json`. */
export interface ReferenceSettings {
  /** Whose credentials the page's sign-in form offers; nobody's where left out. */
  readonly demoUser?: DemoUser | undefined
}

/**
 * The page at `/docs`, which shows the HTTP interface from `/openapi.json` and can call it, signed in with a form of its
 * own. It loads nothing from elsewhere.
 */
export const createReference = ({ demoUser }: ReferenceSettings = {}): Page => {
  const files = createPageFiles(directory, ['index.html', 'reference.js', 'style.css'])
  const shownUser = demoUser === undefined ? null : { email: demoUser.email, password: demoUser.password }
  const settings = JSON.stringify({ demoUser: shownUser })
  return {
    mount: (app, host) => {
      serveAt(app, host, '/docs/settings.json', () => async () => ({ status: 200, body: settings }))
      servePage(app, host, { path: '/docs', files, contentSecurityPolicy: CONTENT_SECURITY_POLICY })
    },
  }
}
