/** Milliseconds as the wire writes a wait: whole seconds, rounded up, so that whoever waits so long has waited enough. */
export const wholeSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000)
