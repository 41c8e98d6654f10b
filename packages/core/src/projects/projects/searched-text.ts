import { fold } from '../../shared/fold.ts'

/** Separates name and description. No text of a project contains this character, so no search matches across it. */
const SEPARATOR = '\u0001'

/** Returns the text in which a project is searched. A folded search term matches if this text contains it. */
export const searchedText = ({ name, description }: { readonly name: string; readonly description: string }): string =>
  `${fold(name)}${SEPARATOR}${fold(description)}`
