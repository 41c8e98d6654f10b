import * as z from 'zod'
import { days, type Milliseconds, seconds } from './clock.ts'
import { aFunction } from './input-schemas.ts'

/** An option of a host, declared once. A message of the schema continues a sentence that begins with the option's name. */
export interface Option<T> {
  readonly default: T
  readonly schema: z.ZodType
}

/** An option with a least and a greatest number. */
export interface BoundedOption<T> extends Option<T> {
  readonly least: number
  readonly most: number
}

export type OptionValues<Options extends Readonly<Record<string, Option<unknown>>>> = {
  readonly [Name in keyof Options]: Options[Name]['default']
}

/** Declares an option. */
export const option = <T>(preset: T, schema: z.ZodType): Option<T> => ({ default: preset, schema })

const wholeNumber = (preset: number, least: number, most: number, error: string): BoundedOption<number> => ({
  default: preset,
  least,
  most,
  schema: z.int({ error }).min(least, { error }).max(most, { error }),
})

/** The longest duration of an option: 100 years. Every database can store a date that far away. */
const LONGEST_DURATION = days(36_525)
/** The largest integer that every database can compare with a column of counts. */
const GREATEST_COUNT = 2 ** 31 - 1

/** Declares a lifetime, at least one second. */
export const lifetime = (preset: Milliseconds): BoundedOption<Milliseconds> =>
  wholeNumber(preset, seconds(1), LONGEST_DURATION, 'must be whole milliseconds, from 1000 (a second) to 100 years')

/** Declares a limit of a number of things. */
export const count = (preset: number, least = 1) =>
  wholeNumber(preset, least, GREATEST_COUNT, `must be a whole number from ${least} to ${GREATEST_COUNT}`)

/** Declares a duration, which may be shorter than a second. */
export const duration = (preset: Milliseconds): BoundedOption<Milliseconds> =>
  wholeNumber(preset, 1, LONGEST_DURATION, 'must be whole milliseconds, from 1 to 100 years')

/** Declares a duration of a few seconds, which 0 switches off. */
export const shortTime = (preset: Milliseconds, most: Milliseconds): BoundedOption<Milliseconds> =>
  wholeNumber(preset, 0, most, `must be 0 to ${most / seconds(1)} seconds`)

export const choice = <const T extends string>(values: readonly T[], preset: NoInfer<T>) => ({
  ...option<T>(preset, z.enum(values, { error: `must be one of ${values.join(', ')}` })),
  values,
})

export const flag = (preset: boolean) => option(preset, z.boolean({ error: 'must be true or false' }))

export const callback = <T>(preset: T) => option(preset, aFunction)

export const nonEmptyText = z.string({ error: 'must be text' }).min(1, { error: 'must not be empty' })

/** Accepts one word, such as `off`, or everything that `schema` accepts. */
export const orWord = <S extends z.ZodType>(word: string, schema: S) =>
  z.unknown().superRefine((value, context) => {
    const issues = value === word ? [] : (schema.safeParse(value).error?.issues ?? [])
    for (const { path, message } of issues) context.addIssue({ code: 'custom', path: [...path], message })
  })

/** A time for which finished records are kept, or `forever`. */
export type Retention = Milliseconds | 'forever'

/** A day: at least as long as a request, a challenge or a service token can wait for a person. */
const SHORTEST_RETENTION = days(1)

/** Declares an option that is a `Retention`. */
export const retention = (preset: Milliseconds): BoundedOption<Retention> => {
  const error = 'must be forever, or whole milliseconds, from one day to 100 years'
  const time = wholeNumber(preset, SHORTEST_RETENTION, LONGEST_DURATION, error)
  return { ...time, schema: orWord('forever', time.schema) }
}
