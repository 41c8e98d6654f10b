import type { PaneName } from '../pane/pane.ts'

/** One HTTP call as the log shows it, secrets and all: they are those of whoever reads it. */
export interface Call {
  readonly id: number
  readonly pane: PaneName
  readonly method: string
  readonly path: string
  /** `undefined`: no answer came. */
  readonly status: number | undefined
  readonly milliseconds: number
  readonly authorization: string | null
  /** JSON, or empty. */
  readonly requestBody: string
  readonly responseBody: string
  /** How often the same was asked with the same answer; see `keepCall`. */
  readonly times: number
}
