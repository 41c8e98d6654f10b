import type { Finding as CoreFinding } from '@countersign/core'

/** The result of a check of `doctor`. `not_configured`: the part is not set up. */
export type Finding = Pick<CoreFinding, 'detail'> & { readonly status: CoreFinding['status'] | 'not_configured' }

export type Check = Finding & { readonly check: string }

export const ok = (detail: string): Finding => ({ status: 'ok', detail })
export const warning = (detail: string): Finding => ({ status: 'warning', detail })
export const failed = (detail: string): Finding => ({ status: 'failed', detail })
export const notConfigured = (detail: string): Finding => ({ status: 'not_configured', detail })
