/** A test loads this into a process before everything else, and sends the milliseconds by which its clock is advanced. */

const { now, parse, UTC } = Date
let advanced = 0
process.on('message', (milliseconds: number) => {
  advanced = milliseconds
  process.send?.('advanced')
})
process.channel?.unref()

class AdvancedDate extends Date {
  // Next wraps the class again, and copies only the members that are the class's own.
  static override readonly parse = parse
  static override readonly UTC = UTC

  constructor(...given: [] | [number]) {
    super(...(given.length === 0 ? ([now() + advanced] as const) : given))
  }

  static override now(): number {
    return now() + advanced
  }
}

globalThis.Date = AdvancedDate as unknown as DateConstructor
