import type { Round } from './round.ts'

/** Something that does the operation of a benchmark, each in a process of its own. */
export interface Contender {
  /** As the table names it; targets refer to it. */
  readonly name: string
  /** The process whose time is counted: the server's, or the one that works by itself. */
  readonly pid: number
  /** Has it work for about so many seconds, while every other contender rests. */
  round(seconds: number): Promise<Round>
}

/** Two contenders held against each other, round by round. */
export interface Target {
  readonly of: string
  readonly to: string
  /**
   * What is compared; `rate` where nothing is said. Of rates and of p99 the ratio, which is at least and at most the bound;
   * of processor time how many microseconds more `of` takes for an operation than `to`, at most.
   */
  readonly by?: 'rate' | 'p99' | 'processor time beyond'
  readonly bound: number
  /** Why this ratio, in a few words. */
  readonly means: string
}
