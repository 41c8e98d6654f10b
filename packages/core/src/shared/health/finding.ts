/** The result of the check of a part. */
export interface Finding {
  /** `warning`: the part works, and an operator is unlikely to want it so. */
  readonly status: 'ok' | 'warning' | 'failed'
  /** One line without secrets: the state of the part, or what to do about it. */
  readonly detail: string
}

export const ok = (detail: string): Finding => ({ status: 'ok', detail })
export const warning = (detail: string): Finding => ({ status: 'warning', detail })
export const failed = (detail: string): Finding => ({ status: 'failed', detail })
