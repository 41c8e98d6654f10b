import type { ImportLine, LineResult, RefusedLine, UserLine } from '@countersign/core'
import type { Flags } from '../shared/option-values.ts'
import { type Answer, NOTHING_TO_DO } from '../shared/output.ts'
import type { ProgressBar } from '../shared/progress-bar.ts'

export type ImportFileOptions = Flags<'update' | 'dryRun'>

/** The most lines and permissions that are remembered, so that memory does not grow with the file. */
const MOST_LISTED = 1000
/** The greatest number of permissions that the warning names to people. */
const MOST_SHOWN = 20

const PERMISSION = /^[a-z*][a-z0-9_-]{0,63}\.[a-z*][a-z0-9_-]{0,63}$/

/** Collects the permissions of imported lines, for a warning about unknown ones. */
const collectPermissions = () => {
  const found = new Set<string>()
  // The permissions of the few lines whose result is not known yet.
  const waiting = new Map<number, readonly string[]>()
  const note = ({ line, value }: ImportLine): void => {
    const { permissions } = value as Partial<UserLine>
    if (!Array.isArray(permissions) || found.size >= MOST_LISTED) return
    const texts = permissions.map(String).filter((permission) => PERMISSION.test(permission))
    if (texts.length > 0) waiting.set(line, texts)
  }
  const settle = ({ line, outcome }: LineResult): void => {
    if (outcome !== 'refused') for (const permission of waiting.get(line) ?? []) found.add(permission)
    waiting.delete(line)
  }
  return { found, note, settle }
}

export const createImportReport = (bar: ProgressBar, { update = false, dryRun = false }: ImportFileOptions) => {
  const skippedLines: number[] = []
  const refusedLines: { readonly line: number; readonly reason: string }[] = []
  const counts = { created: 0, updated: 0, skipped: 0, refused: 0 }
  const permissions = collectPermissions()
  let lines = 0

  const sentence = (): string => {
    const { created, updated, skipped, refused } = counts
    const why = update ? 'unchanged' : 'with an email that exists'
    return dryRun
      ? `Would create ${created}, update ${updated}, skip ${skipped} ${why}, refuse ${refused}`
      : `Created ${created}, updated ${updated}, skipped ${skipped} ${why}, refused ${refused}`
  }
  const warnings = (): readonly string[] => {
    const shown = refusedLines.slice(0, MOST_SHOWN)
    const more = counts.refused - shown.length
    return [
      ...shown.map(({ line, reason }) => `line ${line} is refused: ${reason}`),
      ...(more > 0 ? [`${more} more lines are refused; --json lists the first ${MOST_LISTED} with their reasons`] : []),
    ]
  }
  const nothingDone = (): readonly string[] => (counts.created + counts.updated + counts.refused === 0 ? [NOTHING_TO_DO] : [])
  const skippedText = (): readonly string[] => {
    const shown = skippedLines.slice(0, MOST_SHOWN)
    const more = counts.skipped > shown.length ? ` and ${counts.skipped - shown.length} more (--json lists them)` : ''
    return shown.length === 0 ? [] : [`Skipped lines: ${shown.join(', ')}${more}`]
  }

  return {
    add: (result: LineResult): void => {
      counts[result.outcome] += 1
      lines += 1
      permissions.settle(result)
      bar.update({ lines })
      if (result.outcome === 'skipped' && skippedLines.length < MOST_LISTED) skippedLines.push(result.line)
      if (result.outcome !== 'refused' || refusedLines.length >= MOST_LISTED) return
      refusedLines.push({ line: result.line, reason: result.reason })
    },
    /** Passes the lines on, and notes their permissions. */
    async *watch(source: AsyncIterable<ImportLine | RefusedLine>): AsyncGenerator<ImportLine | RefusedLine> {
      for await (const line of source) {
        if (!('reason' in line)) permissions.note(line)
        yield line
      }
    },
    /** Returns a sentence about an import that an error ends; `undefined` if nothing is stored. */
    storedSoFar: (): string | undefined =>
      dryRun || counts.created + counts.updated === 0
        ? undefined
        : `Stopped by an error; ${counts.created} users are created and ${counts.updated} are updated, of earlier lines`,
    permissions: permissions.found as ReadonlySet<string>,
    /** @param more Warnings that follow those about lines. */
    answer: (more: readonly string[]): Answer => ({
      json: { ...counts, skippedLines, refusedLines },
      text: [sentence(), ...skippedText(), ...nothingDone()],
      warnings: [...warnings(), ...more.slice(0, MOST_SHOWN)],
      failed: counts.refused > 0,
    }),
  }
}
