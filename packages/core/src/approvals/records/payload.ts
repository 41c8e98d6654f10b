import type { Opening, SealedField, Sealing } from '../../shared/crypto/field-encryption.ts'
import { sealedColumn } from '../sealed-columns.ts'

/** A payload that was read once, by `readPayload`: its JSON, and the value of this JSON. */
export interface Payload {
  readonly text: string
  readonly value: Readonly<Record<string, unknown>>
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
