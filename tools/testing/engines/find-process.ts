import { readdirSync, readFileSync } from 'node:fs'

interface Running {
  readonly pid: number
  readonly parent: number
  /** Processor time in ticks. */
  readonly ticks: number
}

/** Reads the running processes from `/proc`. A process may end in between. */
const readRunning = (): readonly Running[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name of the program is in brackets, and may contain blanks.
        const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
        return [{ pid: Number(name), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }]
      } catch {
        return []
      }
    })

const isBelow = (all: ReadonlyMap<number, Running>, one: Running, ancestor: number): boolean => {
  if (one.parent === ancestor) return true
  const parent = all.get(one.parent)
  return parent !== undefined && isBelow(all, parent, ancestor)
}

/**
 * Finds the process that runs a page, below the process of the browser. No driver says which process it is, so the page keeps its
 * processor busy (`work`), and the process that used the most time meanwhile runs the page.
 */
export const findProcess = async (browser: number, work: () => Promise<unknown>): Promise<number> => {
  const before = new Map(readRunning().map((one) => [one.pid, one.ticks]))
  await work()
  const running = readRunning()
  const all = new Map(running.map((one) => [one.pid, one]))
  const used = ({ pid, ticks }: Running) => ticks - (before.get(pid) ?? 0)
  const [busiest] = running.filter((one) => isBelow(all, one, browser)).sort((one, other) => used(other) - used(one))
  if (busiest === undefined) throw new Error('The browser has no process for the page')
  return busiest.pid
}

/** Keeps the processor of a page busy for half a second. */
export const beBusy = (): void => {
  const end = Date.now() + 500
  while (Date.now() < end);
}
