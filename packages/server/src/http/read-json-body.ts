import { MIMEType } from 'node:util'
import type { BodyLayout } from '@countersign/contract'
import { errors, inspectJson } from '@countersign/core'
import { attempt } from '../shared/attempt.ts'
import type { HttpRequest, RequestHeaders } from './http-request.ts'
import { WireRefusal } from './refusals.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b

/** Returns the position of the quote that ends a JSON string. */
const endOfText = (json: Uint8Array, start: number): number => {
  let at = start
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}

/** Returns whether JSON has more members and items than `most`, before it is parsed: each follows a comma or a bracket. */
export const hasMoreMembers = (json: Uint8Array, most: number): boolean => {
  // Each member or item takes at least one byte.
  if (json.length <= most) return false
  let count = 0
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (byte === QUOTE) at = endOfText(json, at + 1)
    else if (byte === COMMA || byte === OPEN_BRACE || byte === OPEN_BRACKET) count += 1
    if (count > most) return true
  }
  return false
}

export interface JsonBody {
  readonly value: Readonly<Record<string, unknown>>
  /** The JSON text of each member, as it came. */
  readonly sources: ReadonlyMap<string, string>
}

/** JSON is UTF-8 (RFC 8259 §8.1), and US-ASCII is a part of UTF-8. */
const charsets: readonly (string | undefined)[] = [undefined, 'utf-8', 'us-ascii']
const nothing: JsonBody = { value: {}, sources: new Map() }

type BodyRequest = Pick<HttpRequest, 'headers' | 'readBody'>

/** Returns whether the body is JSON by its type, or has no type. JSON has no parameters, so all but the charset are ignored. */
const isJsonType = (headers: RequestHeaders): boolean => {
  const type = headers.get('content-type') ?? ''
  if (type === '' || type === 'application/json') return true
  const { essence, params } = attempt(() => new MIMEType(type)) ?? {}
  return essence === 'application/json' && charsets.includes(params?.get('charset')?.toLowerCase())
}

/** @throws WireRefusal */
const checkHeaders = (headers: RequestHeaders, { isOptional }: BodyLayout): void => {
  const encoding = headers.get('content-encoding')
  // The server unpacks no body: a small one may unpack to a huge one.
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity') throw new WireRefusal('unsupported_media_type')
  // Many clients name the type of a form even when they send no body.
  const mayBeEmpty = isOptional && !(Number(headers.get('content-length')) > 0)
  if (!isJsonType(headers) && !mayBeEmpty) throw new WireRefusal('unsupported_media_type')
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** @throws Invalid */
const parseObject = (bytes: Uint8Array, { members, isOptional, reads }: BodyLayout): JsonBody => {
  if (hasMoreMembers(bytes, members)) throw new errors.Invalid({ body: `must have at most ${members} members and items` })
  const text = attempt(() => strictUtf8.decode(bytes))
  if (text === undefined) throw new errors.Invalid({ body: 'must be UTF-8' })
  const value = attempt<unknown>(() => JSON.parse(text))
  if (value === undefined) throw new errors.Invalid({ body: 'must be valid JSON' })
  if (value === null && isOptional) return nothing
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new errors.Invalid({ body: 'must be a JSON object' })
  return { value: value as Record<string, unknown>, sources: inspectJson(text, { isKept: reads }) }
}

/** Reading a body fails only when the client disconnected or was too slow. */
const refuseUnread = (error: unknown): never => {
  throw error instanceof WireRefusal ? error : new errors.Invalid({ body: 'must arrive whole' })
}

/**
 * Reads the JSON object of a body, and returns a promise only if the body has not arrived. No body is an empty object, so that
 * missing members are named. @throws WireRefusal for another type, an encoding, or too many bytes @throws Invalid for too many
 * members, JSON that `inspectJson` refuses, and anything but a JSON object in UTF-8
 */
export const readJsonBody = ({ headers, readBody }: BodyRequest, rule: BodyLayout): JsonBody | Promise<JsonBody> => {
  checkHeaders(headers, rule)
  const parse = (bytes: Uint8Array): JsonBody => {
    if (bytes.byteLength === 0) return nothing
    if (!isJsonType(headers)) throw new WireRefusal('unsupported_media_type')
    return parseObject(bytes, rule)
  }
  const read = readBody(rule.bytes)
  return read instanceof Promise ? read.catch(refuseUnread).then(parse) : parse(read)
}
