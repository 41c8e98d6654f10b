import { setTimeout } from 'node:timers/promises'

/** The longest wait in milliseconds, below the time after which the server ends a silent connection. */
const LONGEST = 29_000

export interface Wait<T> {
  readonly first: T
  /** Reads the state again. An error ends the wait. */
  readonly read: () => Promise<T>
  readonly isDecided: (state: T) => boolean
  readonly seconds: number
  /** Aborted when the client goes away. */
  readonly disconnected: () => AbortSignal
}

/** The requests of a process that wait for the decision of a user. */
export interface DecisionWaits {
  /** Resolves with the state once it is decided, or when the time is over; at once after `end`, or if too many wait. */
  until<T>(wait: Wait<T>): Promise<T>
  /** Ends every wait with the current state, and refuses further ones; for the shutdown of the server. */
  end(): void
}

interface WaitLimits {
  /** The most requests that wait at the same time. */
  readonly most?: number
  /** Milliseconds between two reads. */
  readonly every?: number
}

/** Resolves after the time, or as soon as the signal is aborted. */
const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await setTimeout(milliseconds, undefined, { signal, ref: false }).catch(() => {})
}

export const decisionWaits = ({ most = 500, every = 500 }: WaitLimits = {}): DecisionWaits => {
  const ending = new AbortController()
  let waiting = 0

  const readUntil = async <T>({ first, read, isDecided, seconds, disconnected }: Wait<T>): Promise<T> => {
    const gone = disconnected()
    const signal = AbortSignal.any([ending.signal, gone])
    const deadline = performance.now() + Math.min(seconds * 1000, LONGEST)
    let state = first
    for (let left = deadline - performance.now(); left > 0 && !signal.aborted; left = deadline - performance.now()) {
      await pause(Math.min(every, left), signal)
      // The client is gone, so nobody would get the answer.
      if (gone.aborted) break
      state = await read()
      if (isDecided(state)) break
    }
    return state
  }

  return {
    until: async (wait) => {
      const { first, seconds, isDecided } = wait
      if (!(seconds > 0) || isDecided(first) || waiting >= most || ending.signal.aborted) return first
      waiting += 1
      try {
        return await readUntil(wait)
      } finally {
        waiting -= 1
      }
    },
    end: () => ending.abort(),
  }
}
