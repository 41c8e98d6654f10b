import * as z from 'zod'
import { days, seconds } from './clock.ts'

/** The longest duration of an option: 100 years. Every database can store a date that far away. */
export const LONGEST_DURATION = days(36_525)
/** The largest integer that every database can compare with a column of counts. */
const GREATEST_COUNT = 2 ** 31 - 1

const lifetimeMessage = 'must be whole milliseconds, from 1000 (a second) to 100 years'

/** A lifetime in milliseconds, at least one second. */
export const lifetime = z
  .int({ error: lifetimeMessage })
  .min(seconds(1), { error: lifetimeMessage })
  .max(LONGEST_DURATION, { error: lifetimeMessage })

/** A limit of a number of things, not below `least`. */
export const countFrom = (least: number) => {
  const error = `must be a whole number from ${least} to ${GREATEST_COUNT}`
  return z.int({ error }).min(least, { error }).max(GREATEST_COUNT, { error })
}

export const count = countFrom(1)

const durationMessage = 'must be whole milliseconds, from 1 to 100 years'

/** A duration in milliseconds, which may be shorter than a second. */
export const duration = z
  .int({ error: durationMessage })
  .min(1, { error: durationMessage })
  .max(LONGEST_DURATION, { error: durationMessage })

export const nonEmptyText = z.string({ error: 'must be text' }).min(1, { error: 'must not be empty' })

/** Accepts one word, such as `off`, or everything that `schema` accepts. */
export const orWord = <S extends z.ZodType>(word: string, schema: S) =>
  z.unknown().superRefine((value, context) => {
    const issues = value === word ? [] : (schema.safeParse(value).error?.issues ?? [])
    for (const { path, message } of issues) context.addIssue({ code: 'custom', path: [...path], message })
  })
