import { type DisplayDefinition, pointerPath, readableText } from '@countersign/contract/display'
import * as z from 'zod'
import { complaints } from '../../shared/check-input.ts'
import { DisplayRefused } from './errors.ts'

const MOST_LANGUAGES = 20
const MOST_LINES = 50
const LONGEST_TEXT = 200
/** More large lines would lead nobody. */
const MOST_LEADING = 3

const textTakes = { error: `must be 1 to ${LONGEST_TEXT} characters, all of them visible` }
const visibleText = z
  .string(textTakes)
  .min(1, textTakes)
  .max(LONGEST_TEXT, textTakes)
  .refine((text) => readableText(text) === text && text.trim() === text, textTakes)

/** A language tag (RFC 5646 §2.1) in its usual form: language, then subtags. */
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/
const translations = z
  .record(z.string().regex(LANGUAGE, { error: 'must be a language tag such as en or pt-BR' }), visibleText, {
    error: 'must be a text for each language',
  })
  .refine((texts) => Object.keys(texts).length >= 1 && Object.keys(texts).length <= MOST_LANGUAGES, {
    error: `must have 1 to ${MOST_LANGUAGES} languages`,
  })

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
