import type { Input, OperationName } from '@countersign/contract'
import * as z from 'zod'
import type { HostCheck } from './caller-checks.ts'
import { checkInput, complaints } from './check-input.ts'
import { Invalid } from './errors.ts'

/** What a caller gives for an operation, and what its host adds. */
type Given<N extends OperationName, I> = Input<N> & Omit<I, keyof Input<N>>

/** What the members of an input must be that are none of its operation. */
type HostChecks<N extends OperationName, I> = Readonly<Record<Exclude<keyof I, keyof Input<N>> & string, HostCheck>>

/** The members that hosts give, of which callers can give none. @throws Invalid naming each that is wrong */
const hostMembers = (checks: Readonly<Record<string, HostCheck>>, input: unknown): Record<string, unknown> => {
  const members: Record<string, unknown> = {}
  let wrong: Record<string, string> | undefined
  for (const member in checks) {
    const value = (input as Record<string, unknown> | null | undefined)?.[member]
    const takes = checks[member]?.(value)
    if (takes !== undefined) wrong = { ...wrong, [member]: takes }
    members[member] = value
  }
  if (wrong !== undefined) throw new Invalid(wrong)
  return members
}

/**
 * Checks input as the contract says, whoever calls. Nothing else of it is left but the members that hosts give.
 *
 * @throws Invalid naming each field and what it takes; what callers give comes first
 */
const check = <N extends OperationName, I>(operation: N, host: Readonly<Record<string, HostCheck>>, input: Given<N, I>): I => {
  const checked = checkInput(operation, input)
  return { ...hostMembers(host, input), ...checked } as unknown as I
}

/** What binds use cases to the parts that a host brings, so that none of them works with what it does not take. */
export const useCaseBinders = <Deps>(deps: Deps) => {
  /** Binds a use case of the contract. */
  const checked =
    <N extends OperationName, I, R>(operation: N, useCase: (deps: Deps, input: I) => Promise<R>, host: HostChecks<N, I>) =>
    async (input: Given<N, I>): Promise<R> =>
      useCase(deps, check<N, I>(operation, host, input))

  /** Binds a use case that no caller reaches by HTTP, by the shape of its input. What the shape does not name is dropped. */
  const shaped = <I, R>(shape: Readonly<Record<keyof I & string, z.ZodType>>, useCase: (deps: Deps, input: I) => Promise<R>) => {
    const schema = z.object(shape, { error: 'must be an object' })
    return async (input: I): Promise<R> => {
      const { success, data, error } = schema.safeParse(input)
      if (!success) throw new Invalid(complaints(error))
      return useCase(deps, data as I)
    }
  }

  return { checked, shaped }
}
