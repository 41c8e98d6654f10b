import type { Instant } from '../shared/clock.ts'
import { errorOf } from '../shared/errors.ts'

/** A server runs on the database, or ran there less than a minute ago. */
export class ServersRunning extends errorOf('servers_running') {
  /** From this time on the call works, by the clock of the database, if no server is seen until then. */
  readonly until: Instant

  constructor(message: string, until: Instant) {
    super(message)
    this.until = until
  }
}
