import { constants, type NodeGCPerformanceDetail, type PerformanceEntry, PerformanceObserver, performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

const SPARING = [
  // What lives long is collected once it has grown by a fifth, not first when it has doubled.
  '--heap-growing-percent=20',
  // What a compilation by Maglev used is freed by the thread that made it, so that the next can have it: 16 MB.
  '--no-maglev-destroy-on-background',
]

/** What an operator says of the young generation, on the command line of Node or in `NODE_OPTIONS`. */
const OWN_CHOICE = /--(?:max|min)[-_]semi[-_]space[-_]size/

/** After so many collections of the young generation it is judged whether it may grow. */
const JUDGED_AFTER = 32

/** The share of the time a process is busy that collecting its young generation may take: where it takes more, it may grow. */
const MOST_SHARE = 0.05

/** @param factor By which V8 multiplies the young generation as soon as as much has survived in it as it holds. */
const growBy = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/** The types of Node leave out what entries of this kind have. */
type Collection = PerformanceEntry & { readonly detail?: NodeGCPerformanceDetail }

const isOfYoung = ({ detail }: Collection): boolean => detail?.kind === constants.NODE_PERFORMANCE_GC_MINOR

/**
 * Judges the young generation by what its collections cost. It may grow once they cost too much twice in a row: a single
 * collection that the machine held up makes them seem dear once, and what has grown stays.
 *
 * @param busy Milliseconds that the process has been busy up to now.
 * @param grow Is told, after each 32 collections, whether it may grow.
 * @returns What is to be called with the milliseconds that each collection took.
 */
export const judging = (busy: () => number, grow: (may: boolean) => void): ((durations: readonly number[]) => void) => {
  let since = busy()
  let spent: readonly number[] = []
  let wasDear = false
  return (durations) => {
    spent = [...spent, ...durations]
    if (spent.length < JUDGED_AFTER) return
    const now = busy()
    const isDear = spent.reduce((sum, duration) => sum + duration, 0) > (now - since) * MOST_SHARE
    grow(isDear && wasDear)
    wasDear = isDear
    since = now
    spent = []
  }
}

const watchYoungGeneration = (): void => {
  growBy(1)
  const judge = judging(
    () => performance.eventLoopUtilization().active,
    (may) => growBy(may ? 2 : 1),
  )
  const collected = new PerformanceObserver((list) => {
    const ofYoung = list.getEntries().filter(isOfYoung)
    judge(ofYoung.map(({ duration }) => duration))
  })
  collected.observe({ entryTypes: ['gc'] })
}

/**
 * Has V8 take some 35 MB under load beside what it has at rest, where it would take 80 to 140. To be called once all is loaded.
 *
 * V8 doubles the space of what lives shortly whenever as much has survived there as it holds, over however many collections:
 * in the end under any load, up to 64 MB and more, whether that spares anything or not. Here it grows where collecting takes
 * time that counts. So `/internal/verify` stays at 16 MB; refreshes come to 32, and take 3 % more of the processor.
 *
 * A process that was started with a size of the young generation is left as V8 has it: its operator chose.
 */
export const spareMemory = (env: NodeJS.ProcessEnv = process.env): void => {
  if ([...process.execArgv, env.NODE_OPTIONS ?? ''].some((text) => OWN_CHOICE.test(text))) return
  for (const flag of SPARING) setFlagsFromString(flag)
  watchYoungGeneration()
}
