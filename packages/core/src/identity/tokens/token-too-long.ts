/** The token would exceed the accepted size because of its content, so it is not signed. */
export class TokenTooLong extends Error {
  override readonly name = 'TokenTooLong'
  readonly code = 'token_too_long'
  readonly characters: number

  constructor(characters: number) {
    super(`a token of ${characters} characters is longer than any that is accepted`)
    this.characters = characters
  }
}
