import { type Checked, type OperationName, shapes, withoutAbsentNulls } from '@countersign/contract'
import type { z } from 'zod'
import { Invalid } from './errors.ts'

const fieldOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : name === '' ? String(part) : `${name}.${String(part)}`),
    '',
  )

/** What a schema says of an input, by field; the first complaint of each field counts. */
export const complaints = (error: z.ZodError): Record<string, string> => {
  const fields = Object.create(null) as Record<string, string>
  for (const issue of error.issues) fields[fieldOf(issue.path) || 'body'] ??= issue.message
  return { ...fields }
}

/**
 * Checks an operation's input against the contract, also where no HTTP is involved: hosts that embed the core get the
 * same rules as callers of the server. Unknown members are dropped, and `null` for an optional member means absent. @throws Invalid naming each field and what it takes.
 */
export const checkInput = <N extends OperationName>(operation: N, input: unknown): Checked<N> => {
  const result = shapes[operation].input.safeParse(withoutAbsentNulls(operation, input))
  if (!result.success) throw new Invalid(complaints(result.error))
  return result.data as Checked<N>
}
