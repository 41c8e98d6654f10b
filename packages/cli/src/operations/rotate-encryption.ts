import type { FieldRotation } from '@countersign/core'
import type { CommandContext } from '../shared/command-context.ts'
import { CommandFailed } from '../shared/failures.ts'
import { table } from '../shared/listing.ts'
import { withCountersign } from '../shared/open-database.ts'
import type { Answer } from '../shared/output.ts'
import { showBar } from '../shared/progress-bar.ts'

const problemsOf = ({ kid, unopened, isComplete }: FieldRotation): readonly string[] => {
  const problems = unopened.map(
    ({ kid, fields }) => `${fields} fields of key ${kid} cannot be opened; \`countersign doctor\` says why`,
  )
  if (isComplete || problems.length > 0) return problems
  return [`a server still writes with another key: restart every server with ${kid} as its first key, then run this again`]
}

/** Encrypts the stored fields of older keys with the first key, and shows the progress. @throws CommandFailed, StartupError */
export const rotateEncryption = async (context: Pick<CommandContext, 'env' | 'stderr'>): Promise<Answer> => {
  const { systemRandom } = await import('@countersign/core')
  const { rotateSealedFields } = await import('@countersign/core/storage')
  const { readConfig } = await import('@countersign/server')
  const { findKeys } = await import('./doctor/keys.ts')
  const { fields: encryptionKeys } = await findKeys(readConfig(context.env))
  if (encryptionKeys === undefined)
    throw new CommandFailed('there is no encryption key: set COUNTERSIGN_ENCRYPTION_KEYS to the keys of the servers')
  const rotation = await withCountersign(context, async (_, storage, log) => {
    const bar = showBar(1, context.stderr, 'pass {pass}: {table}', { pass: 1, table: '' })
    try {
      const rotated = await rotateSealedFields(storage, encryptionKeys, systemRandom, {
        onProgress: ({ pass, table: name, rows, total }) => {
          bar.setTotal(Math.max(1, total))
          bar.update(rows, { pass, table: name })
        },
      })
      log.info('fields_encrypted', { kid: rotated.kid, complete: rotated.isComplete })
      return rotated
    } finally {
      bar.stop()
    }
  })
  const { kid, tables, unopened, isComplete } = rotation
  return {
    json: { kid, complete: isComplete, tables, unopened },
    text: table(tables.map((one) => ({ table: one.table, 'encrypted again': one.fields }))),
    warnings: problemsOf(rotation),
    ...(isComplete ? { note: `Every stored field is encrypted with ${kid}.` } : {}),
    failed: !isComplete,
  }
}
