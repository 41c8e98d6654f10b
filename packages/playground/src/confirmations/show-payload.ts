/** `actionPayload` as a person reads it: each member by its name, in the order in which it came. */
export const showPayload = (payload: Readonly<Record<string, unknown>>): readonly (readonly [name: string, value: string])[] =>
  Object.entries(payload).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const)
