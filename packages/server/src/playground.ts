import type { RelyingParty } from '@countersign/core'
import { createPageFiles } from './pages/page-files.ts'
import { type DemoUser, fileRoutes, jsonRoute, type Page, shownUser } from './pages/page-routes.ts'

export type { DemoUser, Page } from './pages/page-routes.ts'

/** The folder into which the build puts the page. The relative path is the same from the sources and from the built package. */
const directory = new URL('../dist/playground/page/', import.meta.url)

/** Allows the page its own files, the approver in a frame, and its own server; no inline code, and no untrusted markup. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** The settings that the page reads from `/playground/settings.json`. */
export interface PlaygroundSettings {
  /** The origins are read at each request. On another origin, the page says so and links to the first of them. */
  readonly relyingParty: Pick<RelyingParty, 'origins'>
  /** The user whose credentials the page offers; by default no user. */
  readonly demoUser?: DemoUser | undefined
}

/** Makes the page at `/playground`, on which a person tries the product during development. It gives nobody a further right. */
export const createPlayground = ({ relyingParty, demoUser }: PlaygroundSettings): Page => {
  const files = createPageFiles(directory, ['index.html', 'playground.js', 'style.css'])
  return {
    routes: [
      jsonRoute('/playground/settings.json', () => ({ origins: relyingParty.origins, demoUser: shownUser(demoUser) })),
      ...fileRoutes('/playground', files, { 'Content-Security-Policy': CONTENT_SECURITY_POLICY }),
    ],
  }
}
