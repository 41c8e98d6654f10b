/** A Web Push subscription, as browsers write it (`JSON.stringify(subscription)`). Its keys are not checked. */
export interface Subscription {
  /** The normal form of the URL at the push service, without a fragment. */
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the subscription that a push token is, and `undefined` for a push token of another form. */
export const subscriptionOf = (pushToken: string): Subscription | undefined => {
  const given = parse(pushToken)
  const [endpoint, keys] = [textOf(memberOf(given, 'endpoint')), memberOf(given, 'keys')]
  if (!URL.canParse(endpoint)) return undefined
  const url = new URL(endpoint)
  url.hash = ''
  return { endpoint: url.href, keys: { p256dh: textOf(memberOf(keys, 'p256dh')), auth: textOf(memberOf(keys, 'auth')) } }
}
