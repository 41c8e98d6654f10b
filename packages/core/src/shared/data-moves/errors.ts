import { errorOf } from '../errors.ts'

/** This database cannot be moved into the other database. The message says what to do. */
export class DataMoveRefused extends errorOf('data_move_refused') {}

/** The copy differs from its source. Nothing was moved, and the move can be run again. */
export class DataMoveDiffers extends errorOf('data_move_differs') {
  /** The tables that differ. */
  readonly tables: readonly string[]

  constructor(message: string, tables: readonly string[]) {
    super(message)
    this.tables = tables
  }
}
