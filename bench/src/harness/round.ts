import { readFileSync } from 'node:fs'

/** The result of one turn of a contender. */
export interface Round {
  /** The number of operations, all of which succeeded. */
  readonly operations: number
  readonly seconds: number
  /** The duration of an operation in milliseconds; `undefined` if the contender does not wait. */
  readonly latency?: { readonly p50: number; readonly p99: number }
  /** Processor time of the contender's process; `undefined` if the platform does not report it. */
  readonly cpuSeconds?: number
}

/** A program that does the operation of a benchmark, in a process of its own. */
export interface Contender {
  /** The name in the table; targets refer to it. */
  readonly name: string
  /** The measured process: the server, or the bare work. */
  readonly pid: number
  /** Lets it work for about this many seconds, while every other contender rests. */
  readonly round: (seconds: number) => Promise<Round>
}

export interface Turns {
  readonly rounds: number
  readonly seconds: number
  /** The time before the first round, for each contender. */
  readonly warmUpSeconds: number
}

/** Reads the processor time and the memory of a process; `undefined` if the platform has no `/proc` (proc_pid_stat(5)). */
export const readUsage = (pid: number): { readonly cpuSeconds: number; readonly megabytes: number } | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return { cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100, megabytes: Number(resident) / 1024 }
  } catch {
    return undefined
  }
}

/** Interpolates linearly between the two neighbouring values. */
export const quantile = (sorted: ArrayLike<number>, share: number): number => {
  const rank = (sorted.length - 1) * share
  const below = sorted[Math.floor(rank)] ?? Number.NaN
  return below + ((sorted[Math.ceil(rank)] ?? Number.NaN) - below) * (rank - Math.floor(rank))
}

/** @param times The duration of each operation in milliseconds. */
export const latencyOf = (times: readonly number[]) => {
  const sorted = Float64Array.from(times).sort()
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }
}

/**
 * Repeats the operation of each conversation until the time is over, and waits for operations that have begun.
 *
 * @throws the error of any operation, so that failed work is never counted
 */
export const repeat = async (conversations: readonly (() => unknown)[], seconds: number): Promise<Round> => {
  const times: number[] = []
  const begin = performance.now()
  await Promise.all(
    conversations.map(async (operation) => {
      for (let now = performance.now(); now < begin + seconds * 1000; ) {
        await operation()
        const later = performance.now()
        times.push(later - now)
        now = later
      }
    }),
  )
  return { operations: times.length, seconds: (performance.now() - begin) / 1000, latency: latencyOf(times) }
}

const measured = async ({ name, pid, round }: Contender, seconds: number): Promise<Round> => {
  const before = readUsage(pid)
  const done = await round(seconds)
  const after = readUsage(pid)
  if (done.operations === 0) throw new Error(`${name} answered nothing in ${seconds} s`)
  return { ...done, ...(before && after && { cpuSeconds: after.cpuSeconds - before.cpuSeconds }) }
}

/**
 * Lets the contenders take turns, A B A B. Other load of the machine then affects all of them, and each round of one
 * contender is next to a round of every other. Resolves with the rounds of each contender, in their order. Rejects if a
 * contender does no operation in its turn.
 */
export const takeTurns = async (
  contenders: readonly Contender[],
  { rounds, seconds, warmUpSeconds }: Turns,
  tell: (what: string) => void,
): Promise<readonly (readonly Round[])[]> => {
  for (const contender of warmUpSeconds > 0 ? contenders : []) await contender.round(warmUpSeconds)
  const results = contenders.map((): Round[] => [])
  for (let round = 1; round <= rounds; round += 1) {
    tell(`round ${round} of ${rounds}`)
    for (const [index, contender] of contenders.entries()) results[index]?.push(await measured(contender, seconds))
  }
  return results
}
