const CODE = /^[A-Za-z0-9_]{1,64}$/
const NAME = /^[A-Za-z][A-Za-z0-9_.]{0,63}$/
const FRAMES = 12
const CAUSES = 3

const frames = ({ stack = '', message }: Error): readonly string[] => {
  // Drops everything up to the end of the message, because the message may contain lines that look like frames.
  const place = stack.indexOf(message)
  if (place === -1) return []
  return stack
    .slice(place + message.length)
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, FRAMES)
    .map((line) => line.trim())
}

/** Returns the name of an error, or `Error` if the name is not an identifier: a library can set it to any text. */
export const errorName = ({ name }: Error): string => (NAME.test(name) ? name : 'Error')

/** Describes an error and its causes by name, code and stack frames, without messages: drivers quote their input in them. */
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
