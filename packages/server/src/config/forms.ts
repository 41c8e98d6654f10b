import { shippedLanguages } from '@countersign/contract/display'
import {
  allParts,
  type BoundedOption,
  type Gates,
  gateActionTypes,
  InvalidKeyRing,
  isApprovalPolicies,
  type Milliseconds,
  type Options,
  type Part,
  parseKeyRing,
  parseReceiptKeyRing,
  type Retention,
} from '@countersign/core'
import { isSchemaName, schemaNames } from '@countersign/core/storage'
import { isWebOrigin, webOriginsForm } from '../http/cors.ts'
import { attempt } from '../shared/attempt.ts'
import { databaseForms, databaseUrlFault } from './database-url.ts'
import { type PushProviderName, pushProviderNames } from './push-config.ts'
import { redisForm, redisUrlFault, smtpForm, smtpUrlFault } from './server-url.ts'

// The forms of the text of a variable. No message contains a value, because some values are secrets.

/** The reason why a text is refused, if the reason is more than the form. */
export class Refusal {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

/** The way in which the text of a variable is read and shown. */
export interface Form<T> {
  /** Continues "must be", for messages and the documents. */
  readonly takes: string
  /** Returns the value; for a text of another form `undefined`, or a `Refusal`. */
  read(text: string): T | undefined | Refusal
  /** Returns the text of a value. Without it, the value is its own text. */
  show?(value: T): string
}

type Bounds = Pick<BoundedOption<unknown>, 'least' | 'most'>

const numberFrom = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : -1)

export const wholeNumber = ({ least, most }: Bounds, unit = 1): Form<number> => {
  const [from, to] = [Math.ceil(least / unit), Math.floor(most / unit)]
  return {
    takes: `a whole number from ${from} to ${to}`,
    read: (text) => {
      const value = numberFrom(text)
      return value >= from && value <= to ? value * unit : undefined
    },
    show: (value) => String(value / unit),
  }
}

/** Whole seconds. */
export const seconds = (bounds: Bounds): Form<Milliseconds> => wholeNumber(bounds, 1000)

/** Whole days in which records are kept, or `forever`. */
export const retention = (bounds: Bounds): Form<Retention> => {
  const days = wholeNumber(bounds, 86_400_000)
  return {
    takes: `forever, or ${days.takes.replace('number', 'number of days')}`,
    read: (text) => (text === 'forever' ? text : days.read(text)),
    show: (value) => (value === 'forever' ? value : (days.show?.(value) ?? '')),
  }
}

export const oneOf = <const T extends string>(values: readonly T[]): Form<T> => ({
  takes: `one of ${values.join(', ')}`,
  read: (text) => values.find((value) => value === text),
})

/** `on` or `off`. */
export const onOff: Form<boolean> = {
  takes: 'one of on, off',
  read: (text) => (text === 'on' || text === 'off' ? text === 'on' : undefined),
  show: (value) => (value ? 'on' : 'off'),
}

const ringOf = <T>(parse: (text: string) => T, id: string): Form<T> => {
  const takes = `${id}:base64url[,${id}:base64url…]`
  const read = (text: string) => {
    try {
      return parse(text)
    } catch (error) {
      if (!(error instanceof InvalidKeyRing)) throw error
      return new Refusal(`must be ${takes} (${error.message})`)
    }
  }
  return { takes, read }
}

/** Secrets of at least 256 bits; of exactly 256 bits with `exactly`. */
export const keyRing = (rule: { readonly exactly: boolean }) => ringOf((text) => parseKeyRing(text, rule), 'kid')

export const receiptKeyRing = ringOf(parseReceiptKeyRing, 'ALG')

/** A list of texts, separated by commas, all of which satisfy `isItem`. */
const listOf = <T extends string = string>(isItem: (text: string) => boolean, items: string): Form<readonly T[]> => ({
  takes: `${items}, separated by commas`,
  read: (text) => {
    const list = text.split(',').map((entry) => entry.trim())
    return list.every(isItem) ? (list as T[]) : undefined
  },
})

export const webOrigins = listOf(isWebOrigin, webOriginsForm)

/** Web origins, and origins of Android apps in the form of WebAuthn. */
export const passkeyOrigins = listOf(
  (text) => /^android:apk-key-hash:[A-Za-z0-9_-]{43}$/.test(text) || isWebOrigin(text),
  'origins such as https://app.example.com or, for an Android app, android:apk-key-hash: and the SHA-256 of the certificate that signs the app, in base64url (43 characters)',
)

/** Some providers of push messages, each once, or `none`. */
export const pushProviders: Form<readonly PushProviderName[]> = {
  takes: `none, or some of ${pushProviderNames.join(', ')}, each once, separated by commas`,
  read: (text) => {
    if (text === 'none') return []
    const names = text.split(',').map((entry) => pushProviderNames.find((name) => name === entry.trim()))
    return names.every((name) => name !== undefined) && new Set(names).size === names.length ? names : undefined
  },
  show: (names) => (names.length === 0 ? 'none' : names.join(',')),
}

/** Hosts, each together with its subdomains, or `*` alone for every host. */
export const hosts = listOf(
  (text) => text === '*' || /^(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}$/.test(text),
  'hosts in lower case, such as push.example.com, or * for every host',
)

/** The schema of the tables in PostgreSQL. */
export const schemaName: Form<string> = { takes: schemaNames, read: (text) => (isSchemaName(text) ? text : undefined) }

export const parts = listOf<Part>((text) => allParts.some((part) => part === text), `some of ${allParts.join(', ')}`)

const gatePairs = Object.entries(gateActionTypes).flatMap(([gate, types]) => types.map((type) => `${gate}:${type}`))

/** Gates as `project.approve:document_approval`, separated by commas. Each gate is in the list once. */
export const gates: Form<Gates> = {
  takes: `some of ${gatePairs.join(', ')}, each gate once, separated by commas`,
  read: (text) => {
    const pairs = text.split(',').map((entry) => entry.trim())
    if (!pairs.every((pair) => gatePairs.includes(pair))) return undefined
    const byGate = new Map(pairs.map((pair) => pair.split(':') as [string, string]))
    if (byGate.size !== pairs.length) return undefined
    return Object.fromEntries([...byGate].map(([gate, actionType]) => [gate, { actionType }]))
  },
  show: (value) =>
    Object.entries(value)
      .map(([gate, required]) => `${gate}:${required?.actionType}`)
      .join(','),
}

/** Policies as `payment_approval:payment.approve:2`, separated by commas. Each action type is in the list once. */
export const approvalPolicies: Form<Options['approvalPolicies']> = {
  takes: 'TYPE:PERMISSION:COUNT, each type once, with a count from 1 to 20, separated by commas',
  read: (text) => {
    const entries = text.split(',').map((entry): readonly [string, object] => {
      const [type = '', permission, count = '', ...more] = entry.trim().split(':')
      return [type, { permission, count: /^[1-9]\d?$/.test(count) && more.length === 0 ? Number(count) : 0 }]
    })
    const policies: object = Object.fromEntries(entries)
    return Object.keys(policies).length === entries.length && isApprovalPolicies(policies) ? policies : undefined
  },
  show: (value) =>
    Object.entries(value)
      .flatMap(([type, policy]) => ('bands' in policy ? [] : [`${type}:${policy.permission}:${policy.count}`]))
      .join(','),
}

const textWithout = (takes: string, faultOf: (text: string) => string | undefined): Form<string> => ({
  takes,
  read: (text) => {
    const fault = faultOf(text)
    return fault === undefined ? text : new Refusal(fault)
  },
})

export const databaseUrl = textWithout(databaseForms, databaseUrlFault)

export const redisUrl = textWithout(redisForm, redisUrlFault)

export const smtpUrl = textWithout(smtpForm, smtpUrlFault)

const textLike = (takes: string, form: RegExp): Form<string> => ({ takes, read: (text) => (form.test(text) ? text : undefined) })

export const host = textLike('an address or a host name', /^[A-Za-z0-9.:_%-]{1,255}$/)

export const domain = textLike('a domain in lower case, without scheme and port', /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/)

/** A name for people. */
export const label = textLike('1 to 64 characters', /^\P{Cc}{1,64}$/u)

/** A colour as CSS writes it. */
export const color = textLike('a colour such as #2748c7', /^#[0-9A-Fa-f]{6}$/)

export const filePath = textLike('the path of a file, without blanks around it and control characters', /^(?! )\P{Cc}+(?<! )$/u)

const httpUrl = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined
}

/** A raw `@` is refused everywhere: the text before it may be a password, and doctor shows the host. */
export const webhookUrl: Form<string> = {
  takes: 'an http or https URL without user and password; an @ in its path is written %40',
  read: (text) => (text.includes('@') ? undefined : httpUrl(text)?.href),
}

/** The URL of an image. Its origin becomes a part of a content security policy, in which some characters end a source. */
export const logoUrl: Form<string> = {
  takes: 'an https URL without user, password, semicolon, comma and blank, and no asterisk in its host',
  read: (text) => {
    const url = /[@;,\s]/.test(text) || !text.startsWith('https:') ? undefined : httpUrl(text)
    return url?.hostname.includes('*') ? undefined : url?.href
  },
}

export const linkUrl: Form<string> = {
  takes: 'an https URL without user and password',
  read: (text) => (text.includes('@') || !text.startsWith('https:') ? undefined : httpUrl(text)?.href),
}

/** A page that gets a code after `#`, so that no server logs the code. */
export const codePage: Form<string> = {
  takes: 'an https URL with a #, after which the code is added; http only for localhost',
  read: (text) => {
    const url = /[@\s]/.test(text) || !text.includes('#') ? undefined : httpUrl(text)
    return url?.protocol === 'https:' || url?.hostname === 'localhost' ? text : undefined
  },
}

const MAIL_ADDRESS = '[^\\s<>@,;:"()\\p{Cc}]{1,64}@[^\\s<>@,;:"()\\p{Cc}]{1,255}'

export const sender = textLike(
  'an address such as no-reply@example.com, or a name and an address such as Example <no-reply@example.com>',
  new RegExp(`^(?:[^<>"\\p{Cc}]{1,64} <${MAIL_ADDRESS}>|${MAIL_ADDRESS})$`, 'u'),
)

/** Where people reach somebody. */
export const contactUrl: Form<string> = {
  takes: 'mailto: and an address, tel: and a number, or an https URL',
  read: (text) => (/^(?:mailto:[^\s@?]+@[^\s@?]+|tel:\+?[0-9.()-]+)$/.test(text) ? text : linkUrl.read(text)),
}

export const pageLanguage = oneOf(shippedLanguages)

const isText = (value: unknown): boolean => typeof value === 'string' && /^\P{Cc}{1,300}$/u.test(value)

const textsIn = (json: string): Readonly<Record<string, string>> | undefined => {
  const texts = attempt(() => JSON.parse(json) as Readonly<Record<string, string>>) ?? {}
  const isGood = Object.entries(texts).every(([tag, text]) => pageLanguage.read(tag) !== undefined && isText(text))
  return isGood && Object.keys(texts).length > 0 ? texts : undefined
}

/** A text of the host, for all languages or for each. */
export const ownText: Form<string | Readonly<Record<string, string>>> = {
  takes: `1 to 300 characters, or a JSON object with such a text for languages among ${shippedLanguages.join(', ')}`,
  read: (text) => (text.startsWith('{') ? textsIn(text) : isText(text) ? text : undefined),
  show: (value) => (typeof value === 'string' ? value : JSON.stringify(value)),
}

/** A URL that names the issuer of receipts. Receipts have exactly this text, so that verifiers can compare the text. */
export const issuer: Form<string> = {
  takes: 'an http or https URL in its normal form, without user, password, query and fragment',
  read: (text) => {
    const url = httpUrl(text)
    const isPlain = url !== undefined && [url.username, url.password, url.search, url.hash].join('') === ''
    return isPlain && (url.href === text || url.href === `${text}/`) ? text : undefined
  },
}

/** The id of a key or a team at Apple. */
export const appleId = textLike('the 10 characters that Apple shows', /^[A-Z0-9]{10}$/)

export const bundleId = textLike("the id of the app's bundle, such as com.example.app", /^[A-Za-z0-9.-]{1,155}$/)

/** The public key by which push services know this service. */
export const vapidPublicKey = textLike('the 87 characters that `countersign keys generate --vapid` makes', /^B[A-Za-z0-9_-]{86}$/)

export const vapidPrivateKey = textLike('the 43 characters that `countersign keys generate --vapid` makes', /^[A-Za-z0-9_-]{43}$/)

/** Apple refuses every message of a contact that is not on the public internet. */
export const vapidSubject = textLike(
  'mailto: and an address, or an https URL, of a host on the internet',
  /^(?:mailto:[^\s@]+@|https:\/\/)(?:[a-z0-9-]+\.)+(?!invalid\b|localhost\b|local\b)[a-z]{2,}(?:\/\S*)?$/i,
)

/** A secret in the form of Standard Webhooks: 24 to 64 bytes. */
export const webhookSecret: Form<string> = {
  takes: 'whsec_ and 24 to 64 bytes in base64',
  read: (text) => {
    const base64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1]
    const bytes = Buffer.from(base64 ?? '', 'base64')
    return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === base64 ? text : undefined
  },
}
