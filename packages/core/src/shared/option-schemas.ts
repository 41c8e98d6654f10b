import * as z from 'zod'
import { days, seconds } from './clock.ts'

/** The longest time that an option takes. A hundred years from now still has a date in every database. */
const LONGEST_LIFETIME = days(36_525)
/** The largest integer that every database compares with a column of counts. */
const MOST = 2 ** 31 - 1

const lifetimeTakes = 'must be whole milliseconds, from 1000 (a second) to 100 years'

/** How long something lasts, in milliseconds. */
export const lifetime = z
  .int({ error: lifetimeTakes })
  .min(seconds(1), { error: lifetimeTakes })
  .max(LONGEST_LIFETIME, { error: lifetimeTakes })

const countTakes = `must be a whole number from 1 to ${MOST}`

/** How many of something there may be. */
export const count = z.int({ error: countTakes }).min(1, { error: countTakes }).max(MOST, { error: countTakes })

const timeTakes = 'must be whole milliseconds, from 1 to 100 years'

/** A time in milliseconds that may be shorter than a second. */
export const time = z.int({ error: timeTakes }).min(1, { error: timeTakes }).max(LONGEST_LIFETIME, { error: timeTakes })

export const someText = z.string({ error: 'must be text' }).min(1, { error: 'must not be empty' })

/** Accepts a word that stands for a whole value, and otherwise what `schema` accepts. */
export const orWord = <S extends z.ZodType>(word: string, schema: S) =>
  z.unknown().superRefine((value, context) => {
    const issues = value === word ? [] : (schema.safeParse(value).error?.issues ?? [])
    for (const { path, message } of issues) context.addIssue({ code: 'custom', path: [...path], message })
  })
