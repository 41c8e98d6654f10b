/** The directory of a host returned an invalid answer. The host must fix the directory. */
export class UserDirectoryMistake extends Error {
  override readonly name = 'UserDirectoryMistake'
}
