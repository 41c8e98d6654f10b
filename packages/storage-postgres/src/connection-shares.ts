import { type Share, shareOf } from './connection-queue.ts'

/**
 * Limits the connections of writes to four fifths of the pool. Reads find a free connection while every write waits, for example
 * for a standby. See ADR 0026.
 */
export const writesShare = (poolSize: number): Share => shareOf(Math.max(1, poolSize - Math.max(1, Math.floor(poolSize / 5))))

/**
 * Limits the connections of projects to three quarters of those for writes. Logins, refreshes and approvals find a free
 * connection, however many projects are created or listed. See ADR 0029.
 */
export const projectsShare = ({ most }: Share): Share => shareOf(Math.max(1, Math.floor(most * 0.75)))
