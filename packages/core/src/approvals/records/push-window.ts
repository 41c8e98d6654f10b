import type { Bound } from '../../identity/records/bound.ts'
import type { Instant } from '../../shared/clock.ts'

/** A confirmation as a push message names it. */
export interface AnnouncedConfirmation {
  readonly confirmationId: string
  readonly actionType: string
  readonly expiresAt: Instant
}

/** The content of one push message: the newest confirmation, and how many there are. */
export interface Announcement extends AnnouncedConfirmation {
  readonly count: number
  /** The end of the window that this message begins. */
  readonly windowEndsAt: Instant
}

/** A confirmation must wait for the end of a window that another message began. */
export interface Waiting {
  readonly windowEndsAt: Instant
  /** The number of confirmations that wait, this one included. */
  readonly waiting: number
}

/**
 * The push windows, at most one for each user and bound of devices: while a window is open, new confirmations wait, and one message
 * at its end announces all of them. Each method is one atomic statement, so that all servers on a database share the windows.
 */
export interface PushWindowStore {
  /**
   * Adds a new confirmation. While a window is open, the confirmation waits. Otherwise it begins a window that ends at
   * `windowEndsAt`, and its message also announces confirmations that were left waiting.
   */
  enter(
    userId: number,
    confirmation: AnnouncedConfirmation,
    now: Instant,
    windowEndsAt: Instant,
    tenants?: Bound,
  ): Promise<Announcement | Waiting>
  /**
   * Ends the window that ends at `windowEndsAt`, also before that time. If confirmations wait, returns the message about them, and
   * begins the window that ends at `nextEndsAt`. Of concurrent calls for one window, exactly one gets the message.
   */
  end(
    userId: number,
    windowEndsAt: Instant,
    now: Instant,
    nextEndsAt: Instant,
    tenants?: Bound,
  ): Promise<Announcement | undefined>
  /** Returns whether a message was sent to the user's devices with this bound since a time, or earlier in an open window. */
  wasTold(userId: number, since: Instant, tenants?: Bound): Promise<boolean>
}
