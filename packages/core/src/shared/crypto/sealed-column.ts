import type { Random } from '../random.ts'
import { openField, type SealedField, sealField } from './field-encryption.ts'
import type { KeyRing } from './key-ring.ts'
import type { FieldPlace, SealedTable, sealedColumns } from './sealed-columns.ts'

/** The keys that open fields. */
export interface Opening {
  readonly encryptionKeys: KeyRing
}

/** The keys and the randomness that seal fields. */
export interface Sealing extends Opening {
  readonly random: Random
}

/** Encrypts and decrypts the texts of a column. A field opens only in the row that it was sealed for. */
export const sealedColumn = <T extends SealedTable>(table: T, column: (typeof sealedColumns)[T][number]) => {
  const placeOf = (row: string) => ({ table, column, row }) as FieldPlace
  return {
    seal: ({ encryptionKeys, random }: Sealing, row: string, text: string): SealedField =>
      sealField(encryptionKeys, random, placeOf(row), text),
    /** @throws FieldNotOpened, DataErased */
    open: ({ encryptionKeys }: Opening, row: string, field: SealedField): string =>
      openField(encryptionKeys, placeOf(row), field),
  }
}

/** Returns the functions of `sealedColumn` for a column whose texts are the JSON of values of one type. */
export const sealedJson = <V>(...column: Parameters<typeof sealedColumn>) => {
  const { seal, open } = sealedColumn(...column)
  return {
    seal: (deps: Sealing, row: string, value: V): SealedField => seal(deps, row, JSON.stringify(value)),
    /** @throws FieldNotOpened, DataErased */
    open: (deps: Opening, row: string, field: SealedField): V => JSON.parse(open(deps, row, field)) as V,
  }
}
