import { type Instant, minutes } from '../../shared/clock.ts'

/** A server that did not announce itself for this time is gone, for example because it was killed. */
export const SERVER_GONE_AFTER = minutes(1)

/** A running server of the database. */
export interface AnnouncedServer {
  readonly id: string
  readonly seenAt: Instant
  /** The digests of the settings that all servers of a database must share, as text. */
  readonly settings: string
}

/** The servers that run on the database, so that each can see how its settings differ from the settings of the others. */
export interface ServerStore {
  /** Stores a server in place of what it announced before. Forgets the servers that announced nothing since `goneBefore`. */
  announce(server: AnnouncedServer, goneBefore: Instant): Promise<void>
  /** Returns the servers that announced themselves at `time` or later, by id. */
  since(time: Instant): Promise<readonly AnnouncedServer[]>
  /** Forgets a server that stops. */
  forget(id: string): Promise<void>
}
