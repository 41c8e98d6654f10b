import { isStorable } from '@countersign/contract'
import * as z from 'zod'
import type { HostCheck } from './caller-checks.ts'

/**
 * Fields of the use cases that no caller reaches by HTTP. They say of what type a field is; what it must say is for the use case
 * itself to check.
 */

/** What a member must be for which there is a check already. */
export const checkedBy = (check: HostCheck) =>
  z.unknown().superRefine((value, context) => {
    const takes = check(value)
    if (takes !== undefined) context.addIssue({ code: 'custom', message: takes })
  })

const textTakes = 'must be text without NUL and unpaired surrogates'

/** Text that a database can be asked for. */
export const someText = z.string({ error: textTakes }).refine(isStorable, { error: textTakes })

/** Text of which the use case itself says what it must be. */
export const anyText = z.string({ error: 'must be text' })

export const texts = z.array(anyText, { error: 'must be a list of texts' })
export const flag = z.boolean({ error: 'must be true or false' })
export const someObject = <S extends z.ZodRawShape>(shape: S) => z.object(shape, { error: 'must be an object' })

const isIterable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value)

/** What an import takes. */
export const importShape = {
  lines: z.custom(isIterable, { error: 'must be lines that can be iterated over' }),
  onProgress: z.custom((value) => typeof value === 'function', { error: 'must be a function' }).optional(),
}
