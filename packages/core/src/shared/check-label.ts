import { Invalid } from './errors.ts'
import { changesDirection, directions } from './hidden-characters.ts'

/** Excludes unpaired surrogates, which not every database stores. */
const PLAIN_TEXT = /^[^\p{Cc}\p{Cs}]{0,255}$/u

/** Returns a name or title. @throws Invalid naming the field */
export const checkedLabel = (field: string, value: string): string => {
  if (!PLAIN_TEXT.test(value)) throw new Invalid({ [field]: 'must be at most 255 characters without control characters' })
  if (changesDirection(value)) throw new Invalid({ [field]: `must not contain ${directions}` })
  return value
}
