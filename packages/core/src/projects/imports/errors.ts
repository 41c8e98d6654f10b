import { errorOf } from '../../shared/errors.ts'

/** A line of an import is invalid. No line of the file was imported. */
export class InvalidImportLine extends errorOf('invalid_import_line') {
  readonly line: number

  constructor(line: number, fields: Readonly<Record<string, string>>) {
    super(fields)
    this.line = line
    this.message = `line ${line}: ${this.message}`
  }
}
