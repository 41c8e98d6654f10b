/** A value that the old schema accepts and the new schema refuses, or may refuse. */
export interface BreakingChange {
  /** The path to the value: `deployment.type`, `platforms[]`; `attributes` for the whole. */
  readonly field: string
  readonly reason: string
  /** A whole value that the old schema accepts and the new schema refuses. None if the change could not be decided. */
  readonly value?: unknown
}
