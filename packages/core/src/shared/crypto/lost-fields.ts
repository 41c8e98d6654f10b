import type { SealedFieldsReport } from './examine-sealed-fields.ts'
import type { KeyRing } from './key-ring.ts'

/** The number of stored fields in words. Only a part of them was read unless `isWhole`. */
const counted = (count: number, isWhole: boolean): string =>
  `${isWhole ? '' : 'at least '}${count === 1 ? '1 stored field' : `${count} stored fields`}`

/**
 * Reports stored fields that no configured key decrypts, a line for each key. Their content is lost until the key is back.
 *
 * @param ringName The setting of the keys, such as `encryptionKeys`.
 */
export const lostFields = (
  { keys, isWhole }: SealedFieldsReport,
  ring: KeyRing | undefined,
  ringName: string,
): readonly string[] =>
  keys
    .filter(({ unopened }) => unopened > 0)
    .map(({ kid, unopened }) =>
      ring?.secrets.has(kid) === true
        ? `${counted(unopened, isWhole)} of key ${kid} cannot be opened: its secret is another, or they were changed`
        : `${counted(unopened, isWhole)} cannot be opened: the key ${kid} is not in ${ringName}`,
    )
