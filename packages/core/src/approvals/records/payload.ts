import { limits } from '@countersign/contract'
import canonicalize from 'canonicalize'
import { type JSONPath, visit } from 'jsonc-parser'
import type { Opening, SealedField, Sealing } from '../../shared/crypto/field-encryption.ts'
import { Invalid } from '../../shared/errors.ts'
import { changesDirection, directions } from '../../shared/hidden-characters.ts'
import { isExactNumber, takesExactNumber } from '../../shared/json/inspect-json.ts'
import { JsonRefused } from '../../shared/json/json-refused.ts'
import { sealedColumn } from '../sealed-columns.ts'

/** A payload that was read once, by `readPayload`: its JSON, and the value of this JSON. */
export interface Payload {
  readonly text: string
  readonly value: Readonly<Record<string, unknown>>
}

/**
 * Checks that a payload (valid JSON) reads the same for everybody: exact numbers, and no text that changes the direction of
 * reading.
 * @throws JsonRefused naming the member
 */
export const requireReadable = (text: string): void => {
  const refuse = (path: JSONPath, takes: string): never => {
    throw new JsonRefused(['actionPayload', ...path], takes)
  }
  visit(text, {
    onObjectProperty: (name, _offset, _length, _line, _column, pathOf) => {
      if (changesDirection(name)) refuse(pathOf(), `must not have names that contain ${directions}`)
    },
    onLiteralValue: (value, offset, length, _line, _column, pathOf) => {
      if (typeof value === 'string' && changesDirection(value)) refuse(pathOf(), `must not contain ${directions}`)
      // The check of the canonical form refuses an infinite number.
      if (Number.isFinite(value) && !isExactNumber(text.slice(offset, offset + length))) {
        refuse(pathOf(), takesExactNumber)
      }
    },
  })
}

/** The payload in the input of a host. */
export interface GivenPayload {
  readonly actionPayload: unknown
  /** The JSON of the payload as it was received, which is stored byte for byte. `actionPayload` is then ignored. */
  readonly actionPayloadText?: string | undefined
}

const tooLong = () => new Invalid({ actionPayload: `must be at most ${limits.actionPayloadBytes} bytes of JSON` })
const refused = () => new Invalid({ actionPayload: 'must be JSON of finite numbers and well-formed text' })

/** Returns the result of the work; `undefined` if it throws. The error is dropped, because parsers quote their input. */
const attempt = <V>(work: () => V): { readonly value: V } | undefined => {
  try {
    return { value: work() }
  } catch {
    return undefined
  }
}

/** Checks that a payload has a canonical JSON form (RFC 8785): no infinite number, unpaired surrogate, cycle. @throws Invalid */
export const requireCanonical = (payload: unknown): void => {
  if (attempt(() => canonicalize(payload)) === undefined) throw refused()
}

/**
 * Adds the payload as it was read to the input, and replaces `actionPayload` by the parsed text, so that the checked, stored, shown
 * and signed payload is always the same.
 * @throws Invalid for more than 4096 bytes, for text that is not JSON, and for the reasons of `requireReadable`
 */
export const readPayload = <I extends GivenPayload>(input: I): I & { readonly payload: Payload } => {
  const { actionPayload, actionPayloadText: given } = input ?? {}
  if (given !== undefined && typeof given !== 'string') throw new Invalid({ actionPayloadText: 'must be text' })
  if (given === undefined) requireCanonical(actionPayload)
  const text = given ?? JSON.stringify(actionPayload) ?? 'null'
  if (Buffer.byteLength(text, 'utf8') > limits.actionPayloadBytes) throw tooLong()
  const parsed = attempt(() => JSON.parse(text) as Payload['value'])
  if (parsed === undefined) throw refused()
  requireReadable(text)
  return { ...input, actionPayload: parsed.value, payload: { text, value: parsed.value } }
}

/** Returns the functions that encrypt and decrypt the payloads of a table. Their text is stored, byte for byte. */
export const sealedPayload = (table: 'confirmations' | 'approval_requests') => {
  const { seal, open } = sealedColumn(table, 'payload')
  return {
    seal: (deps: Sealing, row: string, { text }: Payload): SealedField => seal(deps, row, text),
    /** @throws FieldNotOpened, DataErased */
    open: (deps: Opening, row: string, field: SealedField): Payload => {
      const text = open(deps, row, field)
      return { text, value: JSON.parse(text) as Payload['value'] }
    },
  }
}
