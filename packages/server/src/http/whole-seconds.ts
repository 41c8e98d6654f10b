/** Converts milliseconds to whole seconds for a response, rounded up so that a client never waits too short. */
export const wholeSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000)
