import type { Input, OperationName } from '@countersign/contract'
import * as z from 'zod'
import { checkInput, complaints, type HostFieldCheck } from './check-input.ts'
import { Invalid } from './errors.ts'

/** One object type with the members of an intersection, so that an editor lists the members and a host need not name its parts. */
export type Flat<T> = T extends unknown ? { [K in keyof T]: T[K] } : never

/** The input of a bound use case: the fields of the operation, and the fields that the host adds. */
type Given<N extends OperationName, I> = Flat<Input<N> & Omit<I, keyof Input<N>>>

/** The checks of the fields that the host adds, by field. */
export type HostFieldChecks<N extends OperationName, I> = Readonly<
  Record<Exclude<keyof I, keyof Input<N>> & string, HostFieldCheck>
>

/** Returns the fields that the host adds. @throws Invalid naming each wrong field */
const hostFields = (checks: Readonly<Record<string, HostFieldCheck>>, input: unknown): Record<string, unknown> => {
  const members: Record<string, unknown> = {}
  let wrong: Record<string, string> | undefined
  for (const member in checks) {
    const value = (input as Record<string, unknown> | null | undefined)?.[member]
    const message = checks[member]?.(value)
    if (message !== undefined) wrong = { ...wrong, [member]: message }
    members[member] = value
  }
  if (wrong !== undefined) throw new Invalid(wrong)
  return members
}

/** Checks the fields of the operation, then those of the host. Drops all others. @throws Invalid naming each wrong field */
const check = <N extends OperationName, I>(
  operation: N,
  host: Readonly<Record<string, HostFieldCheck>>,
  input: Given<N, I>,
): I => {
  const checked = checkInput(operation, input)
  return { ...hostFields(host, input), ...checked } as unknown as I
}

/** The input that a shape describes. */
export type ShapedInput<S extends z.ZodRawShape> = Readonly<z.infer<z.ZodObject<S>>>

/** Returns a check of inputs without an HTTP operation, by a schema for each field. It throws Invalid for wrong ones. */
export const shapeCheck = <I>(shape: Readonly<Record<keyof I & string, z.ZodType>>): ((input: I) => I) => {
  const schema = z.object(shape, { error: 'must be an object' })
  return (input) => {
    const { success, data, error } = schema.safeParse(input)
    if (!success) throw new Invalid(complaints(error))
    return data as I
  }
}

/** Returns functions that bind a use case to the ports of a host. A bound use case checks its input first. */
export const useCaseBinders = <Deps>(deps: Deps) => {
  const checked =
    <N extends OperationName, I, R>(operation: N, useCase: (deps: Deps, input: I) => Promise<R>, host: HostFieldChecks<N, I>) =>
    async (input: Given<N, I>): Promise<R> =>
      useCase(deps, check<N, I>(operation, host, input))

  /** Binds a use case that has no HTTP operation. See `shapeCheck`. */
  const shaped = <I, R>(shape: Readonly<Record<keyof I & string, z.ZodType>>, useCase: (deps: Deps, input: I) => Promise<R>) => {
    const checkedInput = shapeCheck(shape)
    return async (input: I): Promise<R> => useCase(deps, checkedInput(input))
  }

  return { checked, shaped }
}
