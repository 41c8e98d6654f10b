import { type ActionPolicy, weakBands } from '@countersign/core'
import { weakWords } from '../../shared/policy-words.ts'
import { type Finding, warning } from './check.ts'

/** Warns of stored policies that are weaker than their authors may expect; `undefined` without one. */
export const examinePolicies = (policies: readonly ActionPolicy[]): Finding | undefined => {
  const weak = policies.flatMap(({ actionType, tenant, bands }) => {
    const name = tenant === null ? actionType : `${actionType}@${tenant}`
    return weakWords(weakBands(bands)).map((words) => `${name}: ${words}`)
  })
  return weak.length === 0 ? undefined : warning(weak.join('; '))
}
