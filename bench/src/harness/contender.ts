import type { Round } from './round.ts'

/** A program that does the operation of a benchmark, in a process of its own. */
export interface Contender {
  /** The name in the table; targets refer to it. */
  readonly name: string
  /** The measured process: the server, or the worker. */
  readonly pid: number
  /** Lets it work for about this many seconds, while every other contender rests. */
  round(seconds: number): Promise<Round>
}

/** A comparison of two contenders, round by round. */
export interface Target {
  readonly of: string
  readonly to: string
  /**
   * The compared figure; `rate` by default. For `rate`, the ratio of the rates is at least `bound`. For `p99`, the ratio is
   * at most `bound`. For `processor time beyond`, `of` needs at most `bound` microseconds more for an operation than `to`.
   */
  readonly by?: 'rate' | 'p99' | 'processor time beyond'
  readonly bound: number
  /** The meaning of the bound, in a few words. */
  readonly means: string
}
