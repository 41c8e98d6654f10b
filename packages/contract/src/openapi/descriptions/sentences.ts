/** Joins the sentences of a description, each of which has a line of its own. */
export const sentences = (...all: readonly string[]): string => all.join(' ')
