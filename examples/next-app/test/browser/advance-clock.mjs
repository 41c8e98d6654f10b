// Loaded into the process of Next before everything else. The test sends the milliseconds by which the clock is advanced.
const { now, parse, UTC } = Date
let advanced = 0
process.on('message', (milliseconds) => {
  advanced = milliseconds
  process.send('advanced')
})
process.channel.unref()

globalThis.Date = class extends Date {
  // Next wraps this class again, and takes its own members only.
  static parse = parse
  static UTC = UTC

  constructor(...given) {
    if (given.length === 0) super(now() + advanced)
    else super(...given)
  }

  static now() {
    return now() + advanced
  }
}
