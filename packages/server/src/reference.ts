import { createPageFiles } from './pages/page-files.ts'
import { type DemoUser, fileRoutes, jsonRoute, type Page, shownUser } from './pages/page-routes.ts'

export type { DemoUser } from './pages/page-routes.ts'

/** The folder into which the build puts the page. The relative path is the same from the sources and from the built package. */
const directory = new URL('../dist/reference/page/', import.meta.url)

/** Allows inline styles and `data:` images, which Swagger UI sets on its elements. */
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

/** The settings that the page reads from `/docs/settings.json`. */
export interface ReferenceSettings {
  /** The user whose credentials the page's sign-in form offers; by default no user. */
  readonly demoUser?: DemoUser | undefined
}

/** Makes the page at `/docs`, which shows and calls the interface of `/openapi.json`, and loads nothing from other origins. */
export const createReference = ({ demoUser }: ReferenceSettings = {}): Page => {
  const files = createPageFiles(directory, ['index.html', 'reference.js', 'style.css'])
  return {
    routes: [
      jsonRoute('/docs/settings.json', () => ({ demoUser: shownUser(demoUser) })),
      ...fileRoutes('/docs', files, { 'Content-Security-Policy': CONTENT_SECURITY_POLICY }),
    ],
  }
}
