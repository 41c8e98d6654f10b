/** An error of the command line itself. Its message is one clear line for the person who typed the command. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}
