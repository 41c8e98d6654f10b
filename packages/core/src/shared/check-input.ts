import { type Checked, issuesOfAction, type OperationName, shapes, withoutAbsentNulls } from '@countersign/contract'
import type { z } from 'zod'
import { Invalid } from './errors.ts'
import { fieldAt } from './json/json-refused.ts'

/** Returns the issues of an input. The only union at the root of an input is the union of actions. */
const issuesOf = ({ issues }: z.ZodError): readonly z.core.$ZodIssue[] =>
  issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || issue.path.length > 0 || issue.errors.length === 0) return [issue]
    return issuesOfAction(issue.errors)
  })

export const complaints = (error: z.ZodError): Record<string, string> => {
  const fields = Object.create(null) as Record<string, string>
  for (const issue of issuesOf(error)) fields[fieldAt(issue.path) || 'body'] ??= issue.message
  return { ...fields }
}

/**
 * Checks the input of an operation against the contract, for hosts as for clients of the server. Drops unknown members. `null` for
 * an optional member means that it is absent. @throws Invalid naming each wrong field
 */
export const checkInput = <N extends OperationName>(operation: N, input: unknown): Checked<N> => {
  const result = shapes[operation].input.safeParse(withoutAbsentNulls(operation, input))
  if (!result.success) throw new Invalid(complaints(result.error))
  return result.data as Checked<N>
}

/** Checks a field that only a host can add, such as the address of the client. Returns the error message for a wrong value. */
export type HostFieldCheck = (value: unknown) => string | undefined

export const checkToken: HostFieldCheck = (value) => (typeof value === 'string' ? undefined : 'must be a token')

export const checkText: HostFieldCheck = (value) => (typeof value === 'string' ? undefined : 'must be text')

/** Checks the client's IP address. `undefined` is right: some hosts cannot know the address. */
export const checkAddress: HostFieldCheck = (value) =>
  value === undefined || (typeof value === 'string' && value !== '') ? undefined : 'must be the address of the client'

/** Checks a choice of the host. `undefined` leaves the default. */
export const checkChoice: HostFieldCheck = (value) =>
  value === undefined || typeof value === 'boolean' ? undefined : 'must be true or false'

/** Checks the header `User-Agent`. `undefined` is right: some clients send none. */
export const checkUserAgent: HostFieldCheck = (value) =>
  value === undefined || typeof value === 'string' ? undefined : 'must be the user agent of the client'

export const clientChecks = { address: checkAddress, userAgent: checkUserAgent }
