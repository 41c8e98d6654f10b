import { constants, type NodeGCPerformanceDetail, type PerformanceEntry, PerformanceObserver, performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

const V8_FLAGS = [
  // The old generation is collected when it has grown by a fifth, instead of doubled.
  '--heap-growing-percent=20',
  // The thread that ran a Maglev compilation frees its memory, so that the next compilation can use it.
  '--no-maglev-destroy-on-background',
]

/** An operator's own size of the young generation, on the command line of Node or in `NODE_OPTIONS`. */
const OWN_CHOICE = /--(?:max|min)[-_]semi[-_]space[-_]size/

/** The number of collections of the young generation between two decisions. */
const COLLECTIONS_PER_DECISION = 32

/** The greatest share of its busy time that a process spends on collections before the young generation may grow. */
const MOST_SHARE = 0.05

/** Sets the factor by which V8 enlarges the young generation when as much has survived in it as it holds. */
const growBy = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

/** A garbage collection. The types of Node lack its details. */
type Collection = PerformanceEntry & { readonly detail?: NodeGCPerformanceDetail }

const isOfYoung = ({ detail }: Collection): boolean => detail?.kind === constants.NODE_PERFORMANCE_GC_MINOR

/**
 * Decides from the cost of collections whether the young generation may grow. It may grow after two costly series in a row.
 * One series can seem costly because the machine was busy, and V8 does not shrink the space again.
 *
 * @param busy Milliseconds that the process has been busy so far.
 * @param grow Called with each decision.
 * @returns A function to call with the milliseconds that each collection took.
 */
export const judgeGrowth = (busy: () => number, grow: (may: boolean) => void): ((durations: readonly number[]) => void) => {
  let since = busy()
  let spent: readonly number[] = []
  let wasCostly = false
  return (durations) => {
    spent = [...spent, ...durations]
    if (spent.length < COLLECTIONS_PER_DECISION) return
    const now = busy()
    const isCostly = spent.reduce((sum, duration) => sum + duration, 0) > (now - since) * MOST_SHARE
    grow(isCostly && wasCostly)
    wasCostly = isCostly
    since = now
    spent = []
  }
}

const watchYoungGeneration = (): void => {
  growBy(1)
  const judge = judgeGrowth(
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
 * Makes V8 use less memory under load. Call it when all modules are loaded.
 *
 * By default, V8 doubles the young generation when enough objects have survived in it, whether this saves time or not. Here
 * it grows only when collections take a noticeable share of the time. See ADR 0023 for measurements.
 *
 * A process that was started with a size of the young generation keeps this size: its operator chose it.
 */
export const spareMemory = (env: Readonly<Record<string, string | undefined>> = process.env): void => {
  if ([...process.execArgv, env.NODE_OPTIONS ?? ''].some((text) => OWN_CHOICE.test(text))) return
  for (const flag of V8_FLAGS) setFlagsFromString(flag)
  watchYoungGeneration()
}
