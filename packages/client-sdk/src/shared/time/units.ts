/** A duration in milliseconds. `& {}` keeps this name in an editor, which shows an alias of `number` alone as `number`. */
export type Milliseconds = number & {}

/** A duration in seconds. */
export type Seconds = number & {}
