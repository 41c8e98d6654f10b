import type { RequestLayout } from '@countersign/contract'
import { Invalid, inspectJson } from '@countersign/core'
import type { Asked } from './asked.ts'
import { hasMoreMembers } from './count-members.ts'
import { decodeJson, decodeUtf8 } from './decode.ts'
import type { MaybePromise } from './maybe-promise.ts'
import { WireRefusal } from './refusals.ts'

export interface JsonBody {
  readonly value: Readonly<Record<string, unknown>>
  /** Each member as it is written. */
  readonly sources: ReadonlyMap<string, string>
}

// RFC 8259 §8.1: JSON is UTF-8; other parameters say nothing.
const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i
const nothing: JsonBody = { value: {}, sources: new Map() }

/** What an operation reads of a body. */
export type BodyRule = NonNullable<RequestLayout['body']>

/** Whether the body is said to be JSON. Without a word of its type it is read as JSON. */
const isJsonType = (headers: Asked['headers']): boolean => {
  const type = headers.get('content-type') ?? ''
  return type === '' || JSON_TYPE.test(type)
}

/** @throws WireRefusal */
const checkHeaders = (headers: Asked['headers'], { isOptional }: BodyRule): void => {
  const encoding = headers.get('content-encoding')
  // A small body may unpack to a huge one, so none is unpacked.
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity') throw new WireRefusal('unsupported_media_type')
  // Many clients name the type of a form where they send nothing at all.
  const mayBeEmpty = isOptional && !(Number(headers.get('content-length')) > 0)
  if (!isJsonType(headers) && !mayBeEmpty) throw new WireRefusal('unsupported_media_type')
}

/** Reads chunk by chunk, and no further than a body may be. @throws WireRefusal */
const readStream = async (stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of stream) {
    length += chunk.byteLength
    if (length > most) throw new WireRefusal('payload_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

/** The body's bytes. Where a length is declared, the platform's HTTP parser holds the body to it, and reading at once is quicker. */
const readBytes = async (request: Asked, most: number): Promise<Uint8Array> => {
  const declared = request.headers.get('content-length')
  if (declared === null || request.headers.has('transfer-encoding')) {
    return request.body === null ? new Uint8Array() : readStream(request.body, most)
  }
  if (Number(declared) > most) throw new WireRefusal('payload_too_large')
  const bytes = new Uint8Array(await request.arrayBuffer())
  // Where a request is made in the same process, its headers may say anything.
  if (bytes.byteLength > most) throw new WireRefusal('payload_too_large')
  return bytes
}

/** Reading fails otherwise only by what the client does: it went away, or was too slow. */
const refuseUnread = (error: unknown): never => {
  throw error instanceof WireRefusal ? error : new Invalid({ body: 'must arrive whole' })
}

const readWhole = (request: Asked, most: number): MaybePromise<Uint8Array> => {
  const { arrived } = request
  if (arrived === undefined) return readBytes(request, most).catch(refuseUnread)
  if (arrived.byteLength > most) throw new WireRefusal('payload_too_large')
  return arrived
}

/** @throws Invalid */
const parseObject = (bytes: Uint8Array, { members, isOptional }: BodyRule): JsonBody => {
  if (hasMoreMembers(bytes, members)) throw new Invalid({ body: `must have at most ${members} members and items` })
  const text = decodeUtf8(bytes)
  if (text === undefined) throw new Invalid({ body: 'must be UTF-8' })
  const value = decodeJson(text)
  if (value === undefined) throw new Invalid({ body: 'must be valid JSON' })
  if (value === null && isOptional) return nothing
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Invalid({ body: 'must be a JSON object' })
  return { value: value as Record<string, unknown>, sources: inspectJson(text) }
}

/**
 * Reads the JSON object in a request's body. No body counts as an empty object, so that what is missing is named. Where no
 * member is required, an empty body may be of any type, and `null` counts as no body.
 *
 * @throws WireRefusal for another type, an encoding, or more bytes than the operation takes; Invalid for too many members, for
 *   what `inspectJson` refuses, and for everything that is not a JSON object in UTF-8
 */
export const readJsonBody = async (request: Asked, rule: BodyRule): Promise<JsonBody> => {
  checkHeaders(request.headers, rule)
  const bytes = await readWhole(request, rule.bytes)
  if (bytes.byteLength === 0) return nothing
  if (!isJsonType(request.headers)) throw new WireRefusal('unsupported_media_type')
  return parseObject(bytes, rule)
}
