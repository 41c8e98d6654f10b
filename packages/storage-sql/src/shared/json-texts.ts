/** Reads a column with a JSON array of strings. The array is frozen, because many callers share a cached one. */
export const parseTexts = (json: string): readonly string[] => Object.freeze(JSON.parse(json) as string[])
