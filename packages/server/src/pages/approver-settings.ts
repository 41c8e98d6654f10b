import * as forms from '../config/forms.ts'
import type { DemoUser } from './page-routes.ts'

/** A text of the host: one for all languages, or one for each language of the page, such as `{ en: '…', de: '…' }`. */
export type OwnText = string | Readonly<Record<string, string>>

/** The settings of the page at `/approve/`. Whoever opens the page can read them. */
export interface ApproverSettings {
  /** The name of the host, shown on the page and as the name of the installed app; `Countersign` by default. */
  readonly name?: string
  /** The colour of the main buttons, as `#rrggbb`. The page chooses readable tones of it for texts and links. */
  readonly color?: string | undefined
  /** An image of the host: an https URL. The page shows its own mark if the image cannot be loaded. */
  readonly logoUrl?: string | undefined
  /** The image on dark grounds: an https URL; `logoUrl` by default. */
  readonly logoDarkUrl?: string | undefined
  /** The language of the page for people who have chosen none: `en`, `de`, `fr`, `es` or `ar`; the browser's by default. */
  readonly language?: string | undefined
  /** Where people get help, such as when their account is locked: an https, mailto or tel URL. */
  readonly supportUrl?: string | undefined
  /** The imprint of the host: an https URL. */
  readonly imprintUrl?: string | undefined
  /** What the host does with the data of people: an https URL. */
  readonly privacyUrl?: string | undefined
  /** The text below *Nothing waits for you*; by default a text of the page. */
  readonly emptyInboxText?: OwnText | undefined
  /** The text for a person whose account is locked; by default a text of the page. */
  readonly lockedText?: OwnText | undefined
  /** The public key with which browsers subscribe to Web Push; no notifications without one. */
  readonly vapidPublicKey?: string | undefined
  /** Whether the page offers to approve with a passkey. The service must let passkeys approve; never by default. */
  readonly passkeyApprovals?: boolean
  /** Whether the page offers a code for a forgotten password. The service must deliver codes; never by default. */
  readonly forgot?: boolean
  /** Whether people approve with a passkey that verifies them: the `approverVerification` of the service; `never` by default. */
  readonly verification?: 'never' | 'always'
  /** Whether pages of the same origin may show the page in a frame, as the playground does; never by default. */
  readonly framed?: boolean
  /** The user as whom the page signs in with one click; by default no user. */
  readonly demoUser?: DemoUser | undefined
}

type Check = Pick<forms.Form<unknown>, 'takes' | 'read'>

const trueOrFalse = { takes: 'true or false', read: (value: unknown) => (typeof value === 'boolean' ? value : undefined) }
const user = {
  takes: 'a user with email and password',
  read: ({ email, password }: Partial<DemoUser>) =>
    typeof email === 'string' && typeof password === 'string' ? email : undefined,
}

const ofText = ({ takes, read }: Check) => ({
  takes,
  read: (value: unknown) => (typeof value === 'string' ? read(value) : undefined),
})
const ofOwnText = {
  takes: forms.ownText.takes,
  read: (value: unknown) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return typeof value === 'string' || text.startsWith('{') ? forms.ownText.read(text) : undefined
  },
}

const checks = {
  name: ofText(forms.label),
  color: ofText(forms.color),
  logoUrl: ofText(forms.logoUrl),
  logoDarkUrl: ofText(forms.logoUrl),
  language: ofText(forms.pageLanguage),
  supportUrl: ofText(forms.contactUrl),
  imprintUrl: ofText(forms.linkUrl),
  privacyUrl: ofText(forms.linkUrl),
  emptyInboxText: ofOwnText,
  lockedText: ofOwnText,
  vapidPublicKey: ofText(forms.vapidPublicKey),
  passkeyApprovals: trueOrFalse,
  forgot: trueOrFalse,
  verification: ofText(forms.oneOf(['never', 'always'])),
  framed: trueOrFalse,
  demoUser: user,
} as const satisfies Record<keyof ApproverSettings, { readonly takes: string; readonly read: (value: never) => unknown }>

/** Checks the settings that a host passes. @throws RangeError that names the setting, and never its value */
export const checkApproverSettings = (settings: ApproverSettings): void => {
  const known: Readonly<Record<string, { readonly takes: string; readonly read: (value: never) => unknown }>> = checks
  for (const [name, value] of Object.entries(settings)) {
    const check = known[name]
    if (check === undefined) throw new RangeError(`createApprover has no setting ${name}`)
    if (value === undefined) continue
    const read = value === null ? undefined : check.read(value as never)
    if (read === undefined || read instanceof forms.Refusal) throw new RangeError(`${name} must be ${check.takes}`)
  }
}
