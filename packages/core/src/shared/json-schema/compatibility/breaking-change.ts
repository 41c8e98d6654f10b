/** Something that a new schema refuses, or may refuse, and the one before accepts. */
export interface BreakingChange {
  /** The way to it: `deployment.type`, `platforms[]`; `attributes` for the whole. */
  readonly field: string
  readonly reason: string
}
