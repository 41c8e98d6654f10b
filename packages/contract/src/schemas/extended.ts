import type * as z from 'zod'

/** The header that asks for extended responses; its value is `1`. */
export const EXTENDED_HEADER = 'Countersign-Extended'

const extendedMembers = new WeakSet<z.core.$ZodType>()

/** Marks a member of an output that the contract does not name: only requests with the header `Countersign-Extended: 1` get it. */
export const extended = <S extends z.ZodType>(schema: S): z.ZodOptional<S> => {
  const member = schema.optional().meta({ description: `Only if the request carries \`${EXTENDED_HEADER}: 1\`` })
  extendedMembers.add(member)
  return member
}

export const isExtended = (schema: z.core.$ZodType): boolean => extendedMembers.has(schema)
