import * as z from 'zod'
import { approvalOptions } from './approvals/options.ts'
import { identityOptions } from './identity/options.ts'
import { defaultRateLimits, type RateLimits } from './identity/rate-limits/limits.ts'
import type { RateLimit } from './identity/rate-limits/store.ts'
import { projectOptions } from './projects/options.ts'
import { complaints } from './shared/check-input.ts'
import type { OptionValues } from './shared/option.ts'

/** The declaration of every option: its default and its valid values. */
export const declaredOptions = { ...identityOptions, ...approvalOptions, ...projectOptions }

/** The settings of a host. Times are whole milliseconds, from one second to 100 years. Counts are whole numbers of at least 1. */
export type Options = OptionValues<typeof declaredOptions>

/**
 * Options as a host passes them. An option that is missing or `undefined` has its default from `defaultOptions`. The same is true
 * of each category of `rateLimits`.
 */
export type GivenOptions = {
  readonly [Name in keyof Options]?:
    | (Name extends 'rateLimits' ? 'off' | { readonly [Category in keyof RateLimits]?: RateLimit | undefined } : Options[Name])
    | undefined
}

const eachOption = <Member extends 'default' | 'schema'>(member: Member) =>
  Object.fromEntries(Object.entries(declaredOptions).map(([name, one]) => [name, one[member]]))

/** The default of every option. */
export const defaultOptions = eachOption('default') as Options

const names = Object.keys(declaredOptions).join(', ')
const optionsSchema = z.strictObject(eachOption('schema') as Record<keyof Options, z.ZodType>, {
  error: `must be an object of some of ${names}`,
})

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

const withoutUndefined = (given: object) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

/** Completes options with the defaults. `undefined` counts as missing, so that a host cannot switch off a limit by accident. */
const filledUp = (given: unknown): unknown => {
  if (given === undefined) return defaultOptions
  if (!isObject(given)) return given
  const all = { ...defaultOptions, ...withoutUndefined(given) }
  return isObject(all.rateLimits) ? { ...all, rateLimits: { ...defaultRateLimits, ...withoutUndefined(all.rateLimits) } } : all
}

/**
 * Completes the options of a host with the defaults, and checks them.
 * @throws RangeError naming each wrong option and its valid values
 */
export const checkedOptions = (given?: GivenOptions): Options => {
  const all = filledUp(given)
  const { error } = optionsSchema.safeParse(all)
  if (error === undefined) return all as Options
  const wrong = Object.entries(complaints(error)).map(([option, takes]) => `${option === 'body' ? 'options' : option} ${takes}`)
  throw new RangeError(wrong.join('; '))
}
