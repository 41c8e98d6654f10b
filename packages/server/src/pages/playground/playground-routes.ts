import type { Route } from '../../http/router.ts'
import type { PageFiles } from '../page-files.ts'
import { fileRoutes, jsonRoute } from '../page-routes.ts'
import type { PlaygroundSettings } from './playground.ts'

/**
 * Allows the page its own files, the approver in a frame, and its own server. All else is forbidden: inline code, other origins,
 * sent forms, and text that becomes markup (Trusted Types).
 */
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

/** Makes the routes of the page, its files and its settings. */
export const playgroundRoutes = (files: PageFiles, { relyingParty, demoUser }: PlaygroundSettings): readonly Route[] => {
  const shownUser = demoUser === undefined ? null : { email: demoUser.email, password: demoUser.password }
  return [
    jsonRoute('/playground/settings.json', () => ({ origins: relyingParty.origins, demoUser: shownUser })),
    ...fileRoutes({ path: '/playground', files, headers: { 'Content-Security-Policy': CONTENT_SECURITY_POLICY } }),
  ]
}
