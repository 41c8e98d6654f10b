import { allParts } from '@countersign/core'
import type { Config } from '@countersign/server'
import { type Finding, ok } from './check.ts'

/** Names the parts that a server here serves. The other parts need another server on the same database. */
export const examineParts = (parts: Config['parts']): Finding => {
  const missing = allParts.filter((part) => !parts.includes(part))
  const served = allParts.filter((part) => parts.includes(part)).join(', ')
  return ok(missing.length === 0 ? served : `${served}; another server on this database must serve ${missing.join(', ')}`)
}
