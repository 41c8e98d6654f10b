import type { DeliverCode } from '@countersign/core'
import { type Config, hasBothParts } from '../../config/config.ts'
import { smtpDelivery } from './smtp-delivery.ts'

/** The settings that decide which page takes codes. */
export interface CodePageConfig extends Pick<Config, 'smtp' | 'parts' | 'approver' | 'approverOrigins'> {
  readonly origins: readonly string[]
}

/** Returns the address before a code: the configured page, or else the approver of this server. No request decides about it. */
export const codePageOf = ({ smtp, approverOrigins, origins, ...config }: CodePageConfig): string | undefined => {
  if (smtp?.codePage !== undefined) return smtp.codePage
  if (!config.approver.on || !hasBothParts(config)) return undefined
  // Origins of Android apps have no pages.
  const origin = [...approverOrigins, ...origins].find((one) => one.startsWith('http'))
  return origin && `${origin}/approve/#/password/`
}

/** Returns how the configured mail server delivers codes; `undefined` without one. `pageOf` may depend on the running server. */
export const configuredDelivery = ({ smtp }: Pick<Config, 'smtp'>, pageOf: () => string | undefined): DeliverCode | undefined => {
  if (smtp === undefined) return undefined
  const linkTo = (code: string): string | undefined => {
    const page = pageOf()
    return page && `${page}${code}`
  }
  return smtpDelivery({ url: smtp.url, from: smtp.from, linkTo })
}
