interface Waiting<I, O> {
  readonly input: I
  readonly resolve: (output: O) => void
  readonly reject: (error: unknown) => void
}

/**
 * Returns a function whose calls with the same key run in turn: those that come meanwhile run together. `run` returns one output
 * for each input; if it rejects, all its calls do.
 */
export const inTurn = <I, O>(
  run: (key: string, inputs: readonly I[]) => Promise<readonly O[]>,
): ((key: string, input: I) => Promise<O>) => {
  /** The calls that wait, for each key that is running. */
  const waitingFor = new Map<string, Waiting<I, O>[]>()

  const runTogether = async (key: string, calls: readonly Waiting<I, O>[]): Promise<void> => {
    const inputs = calls.map(({ input }) => input)
    try {
      const outputs = await run(key, inputs)
      for (const [at, { resolve }] of calls.entries()) resolve(outputs[at] as O)
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }

  const runAll = async (key: string, first: Waiting<I, O>): Promise<void> => {
    const waiting: Waiting<I, O>[] = []
    waitingFor.set(key, waiting)
    for (let calls = [first]; calls.length > 0; calls = waiting.splice(0)) await runTogether(key, calls)
    waitingFor.delete(key)
  }

  return (key, input) =>
    new Promise((resolve, reject) => {
      const call = { input, resolve, reject }
      const waiting = waitingFor.get(key)
      if (waiting === undefined) void runAll(key, call)
      else waiting.push(call)
    })
}
