/** A standard output or standard error, which may be a terminal. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean
  readonly columns?: number
  hasColors?(): boolean
}

export type InputStream = NodeJS.ReadableStream & { readonly isTTY?: boolean }

/** The parts of the process that a command uses. The command line passes `process`, and tests pass an object of their own. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: InputStream
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  /** Set by the command. `undefined` counts as 0. */
  exitCode?: number | string | null | undefined
}
