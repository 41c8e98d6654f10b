import type { IdentityDeps } from '../deps.ts'

/** What a browser says of the page that asked (WebAuthn Level 3 §5.8.1), as far as it is read here. */
interface ClientData {
  readonly origin?: unknown
  readonly crossOrigin?: unknown
  readonly topOrigin?: unknown
}

/** Passes over a byte order mark, and puts a mark of its own in the place of bytes that are no UTF-8 (WebAuthn Level 3 §7.1, step 5). */
const utf8 = new TextDecoder()

const readClientData = (clientDataJSON: string): ClientData | undefined => {
  try {
    return (JSON.parse(utf8.decode(Buffer.from(clientDataJSON, 'base64url'))) ?? undefined) as ClientData | undefined
  } catch {
    // What is no JSON is refused like every other client data that is not right.
    return undefined
  }
}

/** Whether this is client data at all: a JSON object with the three texts that every browser writes. */
export const isClientData = (clientDataJSON: string): boolean => {
  const data = readClientData(clientDataJSON) as { readonly [member: string]: unknown } | undefined
  return [data?.type, data?.challenge, data?.origin].every((member) => typeof member === 'string')
}

/**
 * Whether the ceremony was on a page of ours, and not in a frame of somebody else's page (WebAuthn Level 3 §7.1, steps 9
 * to 11; §7.2, steps 12 to 14). An origin that is not ours is told to the log, as it is what a wrong setting looks like.
 */
export const isOnOwnPage = ({ options, logger }: Pick<IdentityDeps, 'options' | 'logger'>, clientDataJSON: string): boolean => {
  const { origin, crossOrigin = false, topOrigin } = readClientData(clientDataJSON) ?? {}
  const isOurs = typeof origin === 'string' && options.relyingParty.origins.includes(origin)
  if (!isOurs) logger.warn('passkey_origin_refused')
  return isOurs && crossOrigin === false && topOrigin === undefined
}
