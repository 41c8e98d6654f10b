/** A token would be longer than any that is accepted, so it is not signed: too much is told in it. */
export class TokenTooLong extends Error {
  override readonly name = 'TokenTooLong'
  readonly code = 'token_too_long'
  readonly characters: number

  constructor(characters: number) {
    super(`a token of ${characters} characters is longer than any that is accepted`)
    this.characters = characters
  }
}
