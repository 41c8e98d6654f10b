const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Shows an ISO 8601 timestamp in the reader's language. */
export const showDate = (timestamp: string): string => format.format(new Date(timestamp))
