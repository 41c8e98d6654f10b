import { unusableHashFormats } from '@countersign/core'
import { type Finding, failed, ok } from './check.ts'

/** Computes one hash of each format that an import accepts. */
export const examinePasswordHashes = async (): Promise<Finding> => {
  const unusable = await unusableHashFormats()
  if (unusable.length === 0) return ok('this machine computes every format')
  return failed(
    `this machine cannot compute ${unusable.join(', ')}: users with such hashes cannot log in here; install the packages of @node-rs for this platform`,
  )
}
