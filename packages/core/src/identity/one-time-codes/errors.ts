import { errorOf } from '../../shared/errors.ts'

/** The single error for a code that is unknown, used, expired or replaced, and for a code of a user who cannot log in. */
export class InvalidOneTimeCode extends errorOf('invalid_one_time_code') {}
