import { importLines } from '@countersign/contract'
import type { z } from 'zod'
import { complaints } from '../../shared/check-input.ts'
import { errorOf, Invalid } from '../../shared/errors.ts'
import type { ImportLine } from '../../shared/import-line.ts'
import type { ProjectStorage } from '../deps.ts'
import type { ProjectReference } from '../records/project.ts'

/** The number of lines that are checked and staged together. A small number keeps the use of memory low. */
const BATCH = 250

export type LineKind = keyof typeof importLines

/** The names of the columns of each kind of line, in the order of the contract. */
export const importMembers: Readonly<Record<LineKind, readonly string[]>> = {
  resource: Object.keys(importLines.resource.shape),
  expense: Object.keys(importLines.expense.shape),
}

interface CheckedLine<K extends LineKind> {
  readonly line: number
  readonly value: z.output<(typeof importLines)[K]>
}

export interface KnownLine<K extends LineKind> extends CheckedLine<K> {
  readonly project: ProjectReference
}

const checkLine = <K extends LineKind>(kind: K, { line, value }: ImportLine): CheckedLine<K> | InvalidImportLine => {
  const result = importLines[kind].safeParse(value)
  return result.success
    ? { line, value: result.data as z.output<(typeof importLines)[K]> }
    : new InvalidImportLine(line, complaints(result.error))
}

/** Yields checked lines in batches, with their projects. @throws InvalidImportLine for a wrong line or an unknown project */
export async function* knownLines<K extends LineKind>(
  { storage }: ProjectStorage,
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
      // An earlier line may name an unknown project. Then the error must name that line.
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

/** A line of an import is invalid. No line of the file was imported. */
export class InvalidImportLine extends errorOf('invalid_import_line') {
  readonly line: number

  constructor(line: number, fields: Readonly<Record<string, string>>) {
    super(fields)
    this.line = line
    this.message = `line ${line}: ${this.message}`
  }
}
