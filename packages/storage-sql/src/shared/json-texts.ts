/** Reads a column that holds a JSON array of texts. Frozen, as what is remembered is handed to many. */
export const parseTexts = (json: string): readonly string[] => Object.freeze(JSON.parse(json) as string[])
