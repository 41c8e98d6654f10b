/** A refusal of the command line itself. The message is one clear line for whoever typed the command. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}
