import { createPageFiles } from './pages/page-files.ts'
import { type Page, servePage } from './pages/serve-page.ts'

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

/** The page at `/docs`, which shows the HTTP interface from `/openapi.json` and can call it. It loads nothing from elsewhere. */
export const createReference = (): Page => {
  const files = createPageFiles(directory, ['index.html', 'reference.js', 'style.css'])
  return { mount: (app, host) => servePage(app, host, { path: '/docs', files, contentSecurityPolicy: CONTENT_SECURITY_POLICY }) }
}
