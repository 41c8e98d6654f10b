/** One row of the doctor's answer. */
export interface Check {
  readonly check: string
  /** `not_configured`: nothing is wrong, and nothing is there. */
  readonly status: 'ok' | 'failed' | 'not_configured'
  /** One line without secrets: what is there, or what to do about it. */
  readonly detail: string
}

export type Finding = Omit<Check, 'check'>

export const ok = (detail: string): Finding => ({ status: 'ok', detail })
export const failed = (detail: string): Finding => ({ status: 'failed', detail })
export const notConfigured = (detail: string): Finding => ({ status: 'not_configured', detail })
