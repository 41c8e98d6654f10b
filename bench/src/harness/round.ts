import { readFileSync } from 'node:fs'

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
  /** True if an additional first round warms up the contender, without being counted. */
  readonly warmUp: boolean
  /** Receives a short description of the current step, because a whole run takes long. */
  readonly tell: (what: string) => void
}

/** Does the work of each round, from 1; 0 warms up. */
export const inRounds = async ({ rounds, warmUp, tell }: Turns, work: (round: number) => Promise<unknown>): Promise<void> => {
  for (let round = warmUp ? 0 : 1; round <= rounds; round += 1) {
    tell(`round ${round} of ${rounds}`)
    await work(round)
  }
}

/** Returns the path in the URL of a SQLite database; `undefined` for other databases. */
export const fileOf = (url: string): string | undefined => /^sqlite:(.*)$/.exec(url)?.[1]

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
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = Float64Array.from(values).sort()
  const rank = (sorted.length - 1) * share
  const below = sorted[Math.floor(rank)] ?? Number.NaN
  return below + ((sorted[Math.ceil(rank)] ?? Number.NaN) - below) * (rank - Math.floor(rank))
}

/** @param times The duration of each operation in milliseconds. */
export const latencyOf = (times: readonly number[]) => ({ p50: quantile(times, 0.5), p99: quantile(times, 0.99) })

/** Returns a function whose calls do the work of each in turn. */
export const inTurn = (all: readonly (() => unknown)[]): (() => Promise<void>) => {
  let turn = -1
  return async () => {
    turn += 1
    await all[turn % all.length]?.()
  }
}

/** Returns the milliseconds that each of some calls takes, one after another. */
export const timesOf = async (calls: number, call: (turn: number) => unknown): Promise<readonly number[]> => {
  const times: number[] = []
  while (times.length < calls) {
    const begun = performance.now()
    await call(times.length)
    times.push(performance.now() - begun)
  }
  return times
}

/** Repeats the operation of each conversation until the time is over. @throws the error of any operation */
export const repeat = async (conversations: readonly (() => unknown)[], seconds: number): Promise<Round> => {
  const times: number[] = []
  const begin = performance.now()
  await Promise.all(
    conversations.map(async (operation) => {
      let now = performance.now()
      do {
        await operation()
        const later = performance.now()
        times.push(later - now)
        now = later
      } while (now < begin + seconds * 1000)
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

/** Lets contenders take turns, so that other load affects all of them. Rejects if one does no operation in its turn. */
export const takeTurns = async (
  contenders: readonly Contender[],
  turns: Turns,
): Promise<ReadonlyMap<string, readonly Round[]>> => {
  const results = new Map(contenders.map(({ name }) => [name, [] as Round[]]))
  await inRounds(turns, async (round) => {
    for (const contender of contenders) {
      const done = await measured(contender, turns.seconds)
      if (round > 0) results.get(contender.name)?.push(done)
    }
  })
  return results
}
