import { limits } from '@countersign/contract'
import canonicalize from 'canonicalize'
import { Invalid } from '../../shared/errors.ts'

/** A payload as a host hands it over. */
export interface GivenPayload {
  readonly actionPayload: unknown
  /** The payload's JSON as it was received, kept to the byte; it alone counts. Left out, the payload is written anew. */
  readonly actionPayloadText?: string | undefined
}

const tooLong = () => new Invalid({ actionPayload: `must be at most ${limits.actionPayloadBytes} bytes of JSON` })
const refused = () => new Invalid({ actionPayload: 'must be JSON of finite numbers and well-formed text' })

/** What the work comes to; `undefined` where it throws. Parsers quote what they could not read, which no error of ours may. */
const attempt = (work: () => unknown): { readonly value: unknown } | undefined => {
  try {
    return { value: work() }
  } catch {
    return undefined
  }
}

/**
 * @throws Invalid for what has no text in RFC 8785, of which the challenge is made: a number past the finite ones, a lone
 *   surrogate, a cycle, a bigint
 */
export const requireCanonical = (payload: unknown): void => {
  if (attempt(() => canonicalize(payload)) === undefined) throw refused()
}

/**
 * The payload's text, and what that text says: what is checked, kept, shown and signed is one and the same, member for
 * member, whatever object came beside the text. A payload that is no value at all is left for the contract to name.
 * @throws Invalid for more than 4096 bytes, and for what is not JSON
 */
export const readPayload = <I extends GivenPayload>(input: I): I & { readonly actionPayloadText: string } => {
  const { actionPayload, actionPayloadText: given } = input ?? {}
  if (given !== undefined && typeof given !== 'string') throw new Invalid({ actionPayloadText: 'must be text' })
  if (given === undefined) requireCanonical(actionPayload)
  const actionPayloadText = given ?? JSON.stringify(actionPayload) ?? 'null'
  if (Buffer.byteLength(actionPayloadText, 'utf8') > limits.actionPayloadBytes) throw tooLong()
  const said = attempt(() => JSON.parse(actionPayloadText))
  if (said === undefined) throw refused()
  return { ...input, actionPayload: said.value, actionPayloadText }
}
