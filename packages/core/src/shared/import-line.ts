/** A parsed line of a file, with its number. */
export interface ImportLine {
  /** The number of the line, from 1. */
  readonly line: number
  readonly value: unknown
}
