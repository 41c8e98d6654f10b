import { WireRefusal } from '../http/refusals.ts'
import type { PathMembers, Route } from '../http/router.ts'
import type { PageFile, PageFiles } from './page-files.ts'

/** A page that `createApp` serves in addition to the operations. */
export interface Page {
  readonly routes: readonly Route[]
}

/** Credentials that a page offers for signing in. Everybody who can open the page can read them, so they are not secret. */
export interface DemoUser {
  readonly email: string
  readonly password: string
}

/** Returns the members of a demo user that a page shows. */
export const shownUser = (demoUser: DemoUser | undefined): DemoUser | null =>
  demoUser === undefined ? null : { email: demoUser.email, password: demoUser.password }

/** No page of another origin reaches the windows of a page or loads its files. Only passkeys may ask the user for permission. */
const pageHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy':
    'camera=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-create=(self), publickey-credentials-get=(self)',
} as const

/** Returns the content at a path, which may still be loading; `undefined` if nothing is there. */
type ContentOf = (members: PathMembers) => Promise<PageFile> | undefined

/** Makes a route that answers GET and HEAD: 404 for unknown content whatever the method, and 405 for every other method. */
export const pageRoute = (path: string, contentOf: ContentOf, headers: Readonly<Record<string, string>> = {}): Route => ({
  method: '*',
  path,
  name: 'page',
  errorForm: 'authentication',
  isRoutine: false,
  handle: async ({ method }, members, responseHeaders) => {
    const loading = contentOf(members)
    if (loading === undefined) throw new WireRefusal('route_not_found')
    if (method !== 'GET' && method !== 'HEAD') throw new WireRefusal('method_not_allowed', { Allow: 'GET, HEAD' })
    const { text, contentType } = await loading
    Object.assign(responseHeaders, pageHeaders, headers, { 'Content-Type': contentType })
    return { status: 200, body: text }
  },
})

/** Makes a route whose JSON is made again at each request. */
export const jsonRoute = (path: string, value: () => unknown, contentType = 'application/json'): Route =>
  pageRoute(path, async () => ({ text: JSON.stringify(value()), contentType }))

/** Makes the routes of a page: `index.html` at `path`, and its other files below. All have `headers`, such as its policy. */
export const fileRoutes = (path: string, files: PageFiles, headers: Readonly<Record<string, string>>): readonly Route[] => [
  pageRoute(path, () => files('index.html'), headers),
  pageRoute(`${path}/{file}`, ({ file = '' }) => (file === 'index.html' ? undefined : files(file)), headers),
]
