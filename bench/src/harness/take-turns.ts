import type { Contender } from './contender.ts'
import type { MeasuredRound } from './round.ts'
import { readUsage } from './usage.ts'

export interface Turns {
  readonly rounds: number
  readonly seconds: number
  /** The time before the first round, for each contender. */
  readonly warmUpSeconds: number
}

const measured = async (contender: Contender, seconds: number): Promise<MeasuredRound> => {
  const before = readUsage(contender.pid)
  const round = await contender.round(seconds)
  const after = readUsage(contender.pid)
  if (round.operations === 0) throw new Error(`${contender.name} answered nothing in ${seconds} s`)
  return before === undefined || after === undefined ? round : { ...round, cpuSeconds: after.cpuSeconds - before.cpuSeconds }
}

/**
 * Lets the contenders take turns, A B A B. Other load of the machine then affects all of them, and each round of one
 * contender stands beside a round of every other. Resolves with the rounds of each contender, in their order. Rejects if a
 * contender does no operation in its turn.
 */
export const takeTurns = async (
  contenders: readonly Contender[],
  { rounds, seconds, warmUpSeconds }: Turns,
  tell: (what: string) => void,
): Promise<readonly (readonly MeasuredRound[])[]> => {
  for (const contender of warmUpSeconds > 0 ? contenders : []) await contender.round(warmUpSeconds)
  const results = contenders.map((): MeasuredRound[] => [])
  for (let round = 0; round < rounds; round += 1) {
    tell(`round ${round + 1} of ${rounds}`)
    for (const [index, contender] of contenders.entries()) results[index]?.push(await measured(contender, seconds))
  }
  return results
}
