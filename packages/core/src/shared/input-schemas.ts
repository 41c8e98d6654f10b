import { isStorable } from '@countersign/contract'
import * as z from 'zod'
import type { HostFieldCheck } from './check-input.ts'

/** Schemas of the inputs of use cases without an HTTP operation. They check types; the use case checks the values. */

export const fromCheck = (check: HostFieldCheck) =>
  z.unknown().superRefine((value, context) => {
    const message = check(value)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

const storableMessage = 'must be text without NUL and unpaired surrogates'

/** Text that every database can store and search. */
export const storableText = z.string({ error: storableMessage }).refine(isStorable, { error: storableMessage })

/** Any text. The use case checks the content. */
export const text = z.string({ error: 'must be text' })

export const textList = z.array(text, { error: 'must be a list of texts' })
export const trueOrFalse = z.boolean({ error: 'must be true or false' })
export const aFunction = z.custom((value) => typeof value === 'function', { error: 'must be a function' })
export const objectWith = <S extends z.ZodRawShape>(shape: S) => z.object(shape, { error: 'must be an object' })

const isIterable = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value)

export const importInput = {
  lines: z.custom(isIterable, { error: 'must be lines that can be iterated over' }),
  onProgress: aFunction.optional(),
}
