import type { IdentityDeps } from '../deps.ts'

/** The members of the client data that are read here (WebAuthn Level 3 §5.8.1). */
interface ClientData {
  readonly origin?: unknown
  readonly crossOrigin?: unknown
  readonly topOrigin?: unknown
}

/** Skips a byte order mark, and replaces invalid UTF-8 (WebAuthn Level 3 §7.1, step 5). */
const utf8 = new TextDecoder()

const readClientData = (clientDataJSON: string): ClientData | undefined => {
  try {
    return (JSON.parse(utf8.decode(Buffer.from(clientDataJSON, 'base64url'))) ?? undefined) as ClientData | undefined
  } catch {
    // Invalid JSON is refused like any other wrong client data.
    return undefined
  }
}

/** Returns whether the text is client data: a JSON object with the three strings that every browser writes. */
export const isClientData = (clientDataJSON: string): boolean => {
  const data = readClientData(clientDataJSON) as { readonly [member: string]: unknown } | undefined
  return [data?.type, data?.challenge, data?.origin].every((member) => typeof member === 'string')
}

/**
 * Returns whether the ceremony took place on a page of the relying party, outside any frame of another site (WebAuthn Level 3
 * §7.1, steps 9 to 11; §7.2, steps 12 to 14). An unknown origin is logged, because a wrong setting has the same effect.
 */
export const isOnOwnPage = ({ options, logger }: Pick<IdentityDeps, 'options' | 'logger'>, clientDataJSON: string): boolean => {
  const { origin, crossOrigin = false, topOrigin } = readClientData(clientDataJSON) ?? {}
  const isOurs = typeof origin === 'string' && options.relyingParty.origins.includes(origin)
  if (!isOurs) logger.warn('passkey_origin_refused')
  return isOurs && crossOrigin === false && topOrigin === undefined
}
