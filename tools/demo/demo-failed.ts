/** The reason why the demonstration cannot go on, in one clear line. */
export class DemoFailed extends Error {
  override readonly name = 'DemoFailed'
}
