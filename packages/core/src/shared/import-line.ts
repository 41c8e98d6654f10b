/** A parsed line of a file, with its number. */
export interface ImportLine {
  /** The number of the line, from 1. */
  readonly line: number
  readonly value: unknown
}

/** A line that cannot be imported, with the reason. The reason never repeats the line. */
export interface RefusedLine extends Pick<ImportLine, 'line'> {
  readonly reason: string
}

export const isRefusedLine = <L extends object>(line: L | RefusedLine): line is RefusedLine => 'reason' in line
