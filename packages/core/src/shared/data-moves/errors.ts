import { Conflict } from '../errors.ts'

/** This database cannot be moved into the other database. The message says what to do. */
export class DataMoveRefused extends Conflict {
  static readonly code = 'data_move_refused'
  override readonly code = DataMoveRefused.code
}

/** The copy differs from its source. The move is not finished, and can be run again. */
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

/** The database holds only a part of the data of an unfinished move, and must not be used. */
export class DataMoveUnfinished extends Conflict {
  static readonly code = 'data_move_unfinished'
  override readonly code = DataMoveUnfinished.code
  constructor() {
    super('The database is being filled from another one, and is not complete: finish the move by running it again')
  }
}
