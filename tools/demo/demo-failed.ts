/** Why the demonstration cannot go on: one clear line. */
export class DemoFailed extends Error {
  override readonly name = 'DemoFailed'
}
