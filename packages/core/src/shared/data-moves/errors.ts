import { Conflict } from '../errors.ts'

/** The databases are not such that the one can be moved into the other. The message says what to do. */
export class DataMoveRefused extends Conflict {
  static readonly code = 'data_move_refused'
  override readonly code = DataMoveRefused.code
}

/** What was copied is not what stands at the other side. Nothing is finished; the same move can be run again. */
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

/** The database holds a part of another one, and must not be used before it holds all of it. */
export class DataMoveUnfinished extends Conflict {
  static readonly code = 'data_move_unfinished'
  override readonly code = DataMoveUnfinished.code
  constructor() {
    super('The database is being filled from another one, and is not complete: finish the move by running it again')
  }
}
