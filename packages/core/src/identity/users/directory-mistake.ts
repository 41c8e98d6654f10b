/** A host's directory answered what none may answer: a mistake of the host's, which no caller can mend. */
export class UserDirectoryMistake extends Error {
  override readonly name = 'UserDirectoryMistake'
}
