/** One row of the answer of `doctor`. */
export interface Check {
  readonly check: string
  /** `not_configured`: the part is not set up, which is no failure. */
  readonly status: 'ok' | 'warning' | 'failed' | 'not_configured'
  /** One line without secrets: the state of the part, or what to do about it. */
  readonly detail: string
}

export type Finding = Omit<Check, 'check'>

export const ok = (detail: string): Finding => ({ status: 'ok', detail })
export const warning = (detail: string): Finding => ({ status: 'warning', detail })
export const failed = (detail: string): Finding => ({ status: 'failed', detail })
export const notConfigured = (detail: string): Finding => ({ status: 'not_configured', detail })
