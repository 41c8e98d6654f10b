import { type Bytes, fromBase64, toBase64Url } from '../shared/encoding/bytes.ts'

/** Decodes base64url without padding (RFC 4648 §5). `undefined` for any other text, also for non-zero tail bits. */
export const strictBase64Url = (text: unknown): Bytes | undefined => {
  if (typeof text !== 'string' || !/^[\w-]+$/.test(text) || text.length % 4 === 1) return undefined
  const bytes = fromBase64(text)
  return toBase64Url(bytes.buffer) === text ? bytes : undefined
}

/** Decodes base64url JSON that is written as by `JSON.stringify`, so that every reader sees the same value. */
export const strictJson = (text: string): unknown => {
  try {
    const json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(strictBase64Url(text))
    const value: unknown = JSON.parse(json)
    return JSON.stringify(value) === json ? value : undefined
  } catch {
    return undefined
  }
}

/** A JSON object, for reading members of unknown types. */
export type Members = Readonly<Record<string, unknown>>

export const isText = (value: unknown): value is string => typeof value === 'string'

export const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the names of the members, sorted and joined by commas. No member of a receipt has a comma in its name. */
export const memberNames = (value: object): string | undefined => {
  const names = Object.keys(value).sort()
  return names.some((name) => name.includes(',')) ? undefined : names.join()
}

/** Returns whether the object has exactly these members. */
export const hasExactly = (value: unknown, names: string): value is Members => isObject(value) && memberNames(value) === names

/** Returns whether the text is a timestamp as the service writes it: ISO 8601 in UTC with milliseconds. */
export const isTimestamp = (value: unknown): value is string => {
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString() === value
}
