import { readableText } from '@countersign/contract/display'
import * as z from 'zod'

/** A text for people, by language tag (BCP 47). */
export type Translations = Readonly<Record<string, string>>

const MOST_LANGUAGES = 20
const LONGEST_TEXT = 200

const textTakes = { error: `must be 1 to ${LONGEST_TEXT} characters, all of them visible` }
const visibleText = z
  .string(textTakes)
  .min(1, textTakes)
  .max(LONGEST_TEXT, textTakes)
  .refine((text) => readableText(text) === text && text.trim() === text, textTakes)

/** A language tag (RFC 5646 §2.1) in its usual form: language, then subtags. */
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/
export const translations = z
  .record(z.string().regex(LANGUAGE, { error: 'must be a language tag such as en or pt-BR' }), visibleText, {
    error: 'must be a text for each language',
  })
  .refine((texts) => Object.keys(texts).length >= 1 && Object.keys(texts).length <= MOST_LANGUAGES, {
    error: `must have 1 to ${MOST_LANGUAGES} languages`,
  })
