/** Where the core tells of what no caller is waiting for. Fields hold ids and words, never secrets. */
export interface Logger {
  info(event: string, fields?: Readonly<Record<string, unknown>>): void
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void
  error(event: string, fields?: Readonly<Record<string, unknown>>): void
}

export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} }
