import type { Route } from '../http/router.ts'
import type { ApproverSettings } from './approver-settings.ts'
import type { PageFiles } from './page-files.ts'
import { fileRoutes, jsonRoute, pageRoute, shownUser } from './page-routes.ts'

const PATH = '/approve'

/** Allows the page its own files, the logo and its own server; no inline code, no other origins, no untrusted markup. */
const contentSecurityPolicy = ({ logoUrl, logoDarkUrl, framed = false }: ApproverSettings): string => {
  const images = [logoUrl, logoDarkUrl].flatMap((url) => (url === undefined ? [] : [new URL(url).origin]))
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    ['img-src', "'self'", ...new Set(images)].join(' '),
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${framed ? "'self'" : "'none'"}`,
    "require-trusted-types-for 'script'",
    'trusted-types countersign-approver',
  ].join('; ')
}

/**
 * Returns the manifest with which a browser installs the page as an app. Its addresses are relative. It has no `id`, which browsers
 * resolve against the origin, where another app may have the root.
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

/** What the page learns of settings that the host leaves out. */
const nothing = {
  color: null,
  logoUrl: null,
  logoDarkUrl: null,
  language: null,
  supportUrl: null,
  imprintUrl: null,
  privacyUrl: null,
  emptyInboxText: null,
  lockedText: null,
  vapidPublicKey: null,
  passkeyApprovals: false,
  forgot: false,
  verification: 'never',
} as const

export const approverRoutes = (files: PageFiles, settings: ApproverSettings): readonly Route[] => {
  const { name = 'Countersign', demoUser, framed = false, ...others } = settings
  const shown = {
    ...nothing,
    ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)),
    name,
    demoUser: shownUser(demoUser),
  }
  const headers = {
    'Content-Security-Policy': contentSecurityPolicy(settings),
    ...(framed && { 'X-Frame-Options': 'SAMEORIGIN' }),
  }
  const [index, ...rest] = fileRoutes(PATH, files, headers)
  return [
    redirect(),
    ...(index === undefined ? [] : [{ ...index, path: `${PATH}/` }]),
    ...rest,
    jsonRoute(`${PATH}/settings.json`, () => shown),
    jsonRoute(`${PATH}/manifest.webmanifest`, () => manifestOf({ ...settings, name }), 'application/manifest+json'),
  ]
}
