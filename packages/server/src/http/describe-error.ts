const CODE = /^[A-Za-z0-9_]{1,64}$/
const NAME = /^[A-Za-z][A-Za-z0-9_.]{0,63}$/
const FRAMES = 12
const CAUSES = 3

const frames = ({ stack = '', message }: Error): readonly string[] => {
  // A message may have lines of its own that look like frames, so what stands before its end is cut away.
  const place = stack.indexOf(message)
  if (place === -1) return []
  return stack
    .slice(place + message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, FRAMES)
    .map((line) => line.trim())
}

/** The error's name, where it is one: a name can be set to any text, as a message can. */
export const errorName = ({ name }: Error): string => (NAME.test(name) ? name : 'Error')

/**
 * An error as logs may have it: name, code, where it was thrown, and the same of its causes. Never its message, because
 * drivers and libraries put into theirs what they were given: queries, addresses, tokens.
 */
export const describeError = (error: unknown, causes = CAUSES): Record<string, unknown> => {
  if (!(error instanceof Error)) return { error: typeof error }
  const code = 'code' in error ? String(error.code) : ''
  return {
    error: errorName(error),
    ...(CODE.test(code) ? { code } : {}),
    frames: frames(error),
    ...(error.cause === undefined || causes === 0 ? {} : { cause: describeError(error.cause, causes - 1) }),
  }
}
