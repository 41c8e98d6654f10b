import * as z from 'zod'
import { type ApprovalOptions, approvalOptionSchemas, defaultApprovalOptions } from './approvals/options.ts'
import { defaultIdentityOptions, type IdentityOptions, identityOptionSchemas } from './identity/options.ts'
import { defaultRateLimits, type RateLimits } from './identity/rate-limits/limits.ts'
import type { RateLimit } from './identity/rate-limits/store.ts'
import { defaultProjectOptions, type ProjectOptions, projectOptionSchemas } from './projects/options.ts'
import { complaints } from './shared/check-input.ts'

/**
 * What a host can change. Times are whole milliseconds, from a second to 100 years; numbers of things are whole, and at least 1.
 */
export interface Options extends IdentityOptions, ApprovalOptions, ProjectOptions {}

/**
 * Options as a host gives them. An option that is left out, or `undefined`, is as in `defaultOptions`; so is each category of
 * limits.
 */
export type GivenOptions = {
  readonly [Name in keyof Options]?:
    | (Name extends 'rateLimits' ? 'off' | { readonly [Category in keyof RateLimits]?: RateLimit | undefined } : Options[Name])
    | undefined
}

/** What holds where a host sets nothing else. All times in milliseconds. */
export const defaultOptions: Options = { ...defaultIdentityOptions, ...defaultApprovalOptions, ...defaultProjectOptions }

const schemas = { ...identityOptionSchemas, ...approvalOptionSchemas, ...projectOptionSchemas } satisfies Record<
  keyof Options,
  z.ZodType
>

const names = Object.keys(schemas).join(', ')
const optionsSchema = z.strictObject(schemas, { error: `must be an object of some of ${names}` })

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)

const withoutUndefined = (given: object) => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))

/** Fills options up with the defaults. `undefined` counts as left out, so that a host cannot switch a limit off by accident. */
const filledUp = (given: unknown): unknown => {
  if (given === undefined) return defaultOptions
  if (!isObject(given)) return given
  const all = { ...defaultOptions, ...withoutUndefined(given) }
  return isObject(all.rateLimits) ? { ...all, rateLimits: { ...defaultRateLimits, ...withoutUndefined(all.rateLimits) } } : all
}

/**
 * Fills the options of a host up with the defaults and checks them, since not every host has a compiler that does.
 *
 * @throws RangeError naming each option that is wrong, and what it takes
 */
export const checkedOptions = (given?: GivenOptions): Options => {
  const all = filledUp(given)
  const { error } = optionsSchema.safeParse(all)
  if (error === undefined) return all as Options
  const wrong = Object.entries(complaints(error)).map(([option, takes]) => `${option === 'body' ? 'options' : option} ${takes}`)
  throw new RangeError(wrong.join('; '))
}
