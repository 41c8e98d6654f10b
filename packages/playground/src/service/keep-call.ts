/** One HTTP call in the log, with all secrets. The secrets belong to the reader of the log. */
export interface Call {
  readonly id: number
  readonly method: string
  readonly path: string
  /** `undefined`: no response arrived. */
  readonly status: number | undefined
  readonly milliseconds: number
  readonly authorization: string | null
  /** JSON, or empty. */
  readonly requestBody: string
  readonly responseBody: string
  /** The number of repetitions with the same response; see `keepCall`. */
  readonly times: number
}

const KEPT = 200

const isSameQuestion = (call: Call, other: Call): boolean =>
  call.method === 'GET' && call.path === other.path && call.method === other.method

const isSameAnswer = (call: Call, other: Call): boolean =>
  (['status', 'authorization', 'responseBody'] as const).every((member) => call[member] === other[member])

/** Adds a call, the newest first. A GET with the same response as the last of its path is counted there, so polls hide no calls. */
export const keepCall = (calls: readonly Call[], call: Call): readonly Call[] => {
  const at = calls.findIndex((other) => isSameQuestion(call, other))
  const before = calls[at]
  return before !== undefined && isSameAnswer(call, before)
    ? calls.with(at, { ...call, id: before.id, times: before.times + 1 })
    : [call, ...calls].slice(0, KEPT)
}
