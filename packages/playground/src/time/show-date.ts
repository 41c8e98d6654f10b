const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** An ISO 8601 timestamp as the reader's language writes it. */
export const showDate = (timestamp: string): string => format.format(new Date(timestamp))
