/** One HTTP call in the log, with all secrets. The secrets belong to the reader of the log. */
export interface Call {
  readonly id: number
  readonly method: string
  readonly path: string
  /** `undefined`: no response arrived. */
  readonly status: number | undefined
  readonly milliseconds: number
  readonly authorization: string | null
  /** JSON, or empty. */
  readonly requestBody: string
  readonly responseBody: string
  /** The number of repetitions with the same response; see `keepCall`. */
  readonly times: number
}
