import type { ErrorCode } from '@countersign/contract'
import * as classes from './error-classes.ts'
import { classOfKind } from './shared/errors.ts'

type Classes = typeof classes

type ClassesByCode = {
  readonly [Name in keyof Classes as Classes[Name] extends { readonly code: infer Code extends ErrorCode }
    ? Code
    : never]: Classes[Name]
}

const classesByCode = Object.fromEntries(
  Object.values<object>(classes).flatMap((one) => ('code' in one ? [[one.code, one]] : [])),
) as ClassesByCode

// The code of a base class is its kind, except for `Invalid`.
const { invalid, ...ofOtherKinds } = classOfKind

/**
 * The error classes of the core by code. `errorDescriptions` says when each error happens and what to do.
 * `JsonRefused` shares the code of `Invalid`.
 */
export const errorClasses = { invalid_input: invalid, ...ofOtherKinds, ...classesByCode }

/** A code that the core throws. The HTTP server has a few codes more, for requests that reach no use case. */
export type CoreErrorCode = keyof typeof errorClasses

export { type ErrorCode, type ErrorDescription, errorDescriptions } from '@countersign/contract'
export * from './error-classes.ts'
