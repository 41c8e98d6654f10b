import { Conflict } from '../errors.ts'

/** This database cannot be moved into the other database. The message says what to do. */
export class DataMoveRefused extends Conflict {
  static readonly code = 'data_move_refused'
  override readonly code = DataMoveRefused.code
}

/** The copy differs from its source. Nothing was moved, and the move can be run again. */
export class DataMoveDiffers extends Conflict {
  static readonly code = 'data_move_differs'
  override readonly code = DataMoveDiffers.code
  /** The tables that differ. */
  readonly tables: readonly string[]

  constructor(message: string, tables: readonly string[]) {
    super(message)
    this.tables = tables
  }
}
