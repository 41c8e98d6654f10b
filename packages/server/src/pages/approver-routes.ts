import type { Route } from '../http/router.ts'
import type { PageFiles } from './page-files.ts'
import { fileRoutes, jsonRoute, pageRoute } from './page-routes.ts'
import type { DemoUser } from './playground/playground.ts'

/** The settings of the page at `/approve/`. Whoever opens the page can read them. */
export interface ApproverSettings {
  /** The name of the host, shown on the page and as the name of the installed app; `Countersign` by default. */
  readonly name?: string
  /** The colour of the main buttons, as `#rrggbb`. The page chooses black or white text for it. */
  readonly color?: string | undefined
  /** An image of the host: an https URL. */
  readonly logoUrl?: string | undefined
  /** The language of the page for people who have chosen none: `en`, `de`, `fr`, `es` or `ar`; the browser's by default. */
  readonly language?: string | undefined
  /** The public key with which browsers subscribe to Web Push; no notifications without one. */
  readonly vapidPublicKey?: string | undefined
  /** True if the page offers to approve with a passkey. The service must let passkeys approve; never by default. */
  readonly passkeyApprovals?: boolean
  /** True if pages of the same origin may show the page in a frame, as the playground does; never by default. */
  readonly framed?: boolean
  /** The user as whom the page signs in with one click; by default no user. */
  readonly demoUser?: DemoUser | undefined
}

const PATH = '/approve'

/**
 * The page loads its own files and the logo, and calls its own server. The policy forbids everything else: inline code, other
 * origins, frames, forms that the browser sends, and text that becomes markup or the address of a script (Trusted Types).
 */
const contentSecurityPolicy = ({ logoUrl, framed = false }: ApproverSettings): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src 'self'${logoUrl === undefined ? '' : ` ${new URL(logoUrl).origin}`}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${framed ? "'self'" : "'none'"}`,
    "require-trusted-types-for 'script'",
    'trusted-types countersign-approver',
  ].join('; ')

/**
 * Returns the manifest with which a browser installs the page as an app (W3C Web Application Manifest). Its addresses are relative
 * to the manifest. It has no `id`, so the address of the start is the id. Browsers resolve an id against the origin, and another
 * app may have the root of the origin.
 */
const manifestOf = ({ name, color, logoUrl, language }: ApproverSettings): object => ({
  name,
  short_name: name,
  start_url: './',
  scope: './',
  display: 'standalone',
  ...(language !== undefined && { lang: language }),
  ...(color !== undefined && { theme_color: color }),
  icons: [
    ...(logoUrl === undefined ? [] : [{ src: logoUrl, sizes: 'any' }]),
    { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    // iPhones show only PNG. Its drawing is inside of the circle that every system shows.
    { src: 'icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
    { src: 'icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  ],
})

/** The files are addressed relative to the page, so its address has a slash at the end. */
const redirect = (): Route => {
  const route = pageRoute(PATH, async () => ({ text: '', contentType: 'text/plain' }), { Location: 'approve/' })
  return { ...route, handle: async (...request) => ({ ...(await route.handle(...request)), status: 308 }) }
}

/** Makes the routes of the page, its files, its settings and its manifest. */
export const approverRoutes = (files: PageFiles, settings: ApproverSettings): readonly Route[] => {
  const { name = 'Countersign', color = null, logoUrl = null, language = null, vapidPublicKey = null } = settings
  const { passkeyApprovals = false, demoUser } = settings
  const shownUser = demoUser === undefined ? null : { email: demoUser.email, password: demoUser.password }
  const shown = { name, color, logoUrl, language, vapidPublicKey, passkeyApprovals, demoUser: shownUser }
  const headers = {
    'Content-Security-Policy': contentSecurityPolicy(settings),
    ...(settings.framed === true && { 'X-Frame-Options': 'SAMEORIGIN' }),
  }
  const [index, ...others] = fileRoutes({ path: PATH, files, headers })
  return [
    redirect(),
    ...(index === undefined ? [] : [{ ...index, path: `${PATH}/` }]),
    ...others,
    jsonRoute(`${PATH}/settings.json`, () => shown),
    jsonRoute(`${PATH}/manifest.webmanifest`, () => manifestOf({ ...settings, name }), 'application/manifest+json'),
  ]
}
