import { importLines } from '@countersign/contract'
import type { z } from 'zod'
import { complaints } from '../../shared/check-input.ts'
import { Invalid } from '../../shared/errors.ts'
import type { ProjectDeps } from '../deps.ts'
import type { ProjectReference } from '../projects/store.ts'
import { InvalidImportLine } from './errors.ts'

/** A line of a file as it was parsed, and where it stands. */
export interface ImportLine {
  /** From 1. */
  readonly line: number
  readonly value: unknown
}

/** Lines that are checked and laid aside together: few enough that what they leave behind in memory is soon gone. */
const BATCH = 250

type LineKind = keyof typeof importLines

/** The members that a line of each kind must have, in the order of the contract. */
export const importMembers: Readonly<Record<LineKind, readonly string[]>> = {
  resource: Object.keys(importLines.resource.shape),
  expense: Object.keys(importLines.expense.shape),
}

type Line<K extends LineKind> = z.output<(typeof importLines)[K]>

/** A checked line and the project that it names. */
export interface KnownLine<K extends LineKind> {
  readonly line: number
  readonly value: Line<K>
  readonly project: ProjectReference
}

interface CheckedLine<K extends LineKind> {
  readonly line: number
  readonly value: Line<K>
}

const checkLine = <K extends LineKind>(kind: K, { line, value }: ImportLine): CheckedLine<K> | InvalidImportLine => {
  const result = importLines[kind].safeParse(value)
  return result.success ? { line, value: result.data as Line<K> } : new InvalidImportLine(line, complaints(result.error))
}

/**
 * Reads lines in batches of which each is checked, with the projects that it names. Never holds more than one batch.
 *
 * @throws InvalidImportLine for the first line that is not as the contract says or names no project
 */
export async function* knownLines<K extends LineKind>(
  { storage }: Pick<ProjectDeps, 'storage'>,
  kind: K,
  lines: AsyncIterable<ImportLine>,
): AsyncGenerator<readonly KnownLine<K>[]> {
  const withProjects = async (batch: readonly CheckedLine<K>[]) => {
    const codes = [...new Set(batch.map(({ value }) => value.projectCode))]
    const projects = new Map((await storage.projects.projects.references(codes)).map((project) => [project.uniqueCode, project]))
    return batch.map(({ line, value }) => {
      const project = projects.get(value.projectCode)
      if (project === undefined) throw new InvalidImportLine(line, { projectCode: 'must be the code of a project' })
      return { line, value, project }
    })
  }

  let batch: CheckedLine<K>[] = []
  for await (const line of lines) {
    if (typeof line !== 'object' || line === null) throw new Invalid({ lines: 'must be objects with line and value' })
    const checked = checkLine(kind, line)
    if (checked instanceof InvalidImportLine) {
      // A line before it may be bad as well, which shows once the projects are known; the first is the one to name.
      if (batch.length > 0) yield await withProjects(batch)
      throw checked
    }
    batch.push(checked)
    if (batch.length === BATCH) {
      yield await withProjects(batch)
      batch = []
    }
  }
  if (batch.length > 0) yield await withProjects(batch)
}

/** Of entries with one key the last: a file may name a thing twice. */
export const lastOfEach = <T>(entries: readonly T[], keyOf: (entry: T) => string): readonly T[] => [
  ...new Map(entries.map((entry) => [keyOf(entry), entry])).values(),
]
