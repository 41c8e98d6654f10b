import { minutes } from './clock.ts'

/**
 * The sweep keeps every row this much longer than its rule says. So a server whose clock is ahead by less deletes nothing that
 * is still live on another server.
 */
export const SWEEP_MARGIN = minutes(15)
