import { type DisplayDefinition, pointerPath } from '@countersign/contract/display'
import * as z from 'zod'
import { complaints } from '../../shared/check-input.ts'
import { translations } from '../../shared/translations.ts'
import { DisplayRefused } from './errors.ts'

const MOST_LINES = 50
/** More large lines would lead nobody. */
const MOST_LEADING = 3

const pointer = z
  .string({ error: 'must be a JSON pointer such as /amount' })
  .regex(/^(?:\/(?:[^~/]|~[01])*)+$/, { error: 'must be a JSON pointer such as /amount' })

const lead = z.boolean({ error: 'must be true or false' }).optional()

const line = z.discriminatedUnion(
  'format',
  [
    z.strictObject({ label: translations, pointer, format: z.enum(['text', 'date', 'list']), lead }),
    z.strictObject({ label: translations, pointer, format: z.literal('money'), currency: pointer, lead }),
  ],
  { error: 'must have label, pointer and format, which is text, money, date or list; and may have lead' },
)

const lines = z
  .array(line)
  .max(MOST_LINES)
  .refine((all) => all.filter((one) => one.lead).length <= MOST_LEADING, {
    error: `must have at most ${MOST_LEADING} lines that lead`,
  })

const definition = z.strictObject({ title: translations, lines }, { error: 'must have title and lines, and nothing else' })

const listLanguages = (texts: object): string => Object.keys(texts).sort().join(', ')

/** Returns the definition of a display. Every text must exist in every language of the title. @throws DisplayRefused */
export const checkedDisplay = (given: unknown): DisplayDefinition => {
  const { success, data, error } = definition.safeParse(given)
  if (!success) throw new DisplayRefused(Object.entries(complaints(error)).map(([field, takes]) => `${field} ${takes}`))
  const languages = listLanguages(data.title)
  const incomplete = data.lines.filter(({ label }) => listLanguages(label) !== languages)
  if (incomplete.length > 0) {
    throw new DisplayRefused(
      incomplete.map((one) => `the label of ${one.pointer} must have the languages of the title: ${languages}`),
    )
  }
  return data
}

/** Returns a pointer without its escapes, for comparisons. */
export const pointerKey = (text: string): string => JSON.stringify(pointerPath(text))
