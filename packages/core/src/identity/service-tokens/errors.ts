import { NotFound } from '../../shared/errors.ts'

/** No service token has this id. */
export class ServiceTokenNotFound extends NotFound {
  static readonly code = 'service_token_not_found'
  override readonly code = ServiceTokenNotFound.code
  constructor() {
    super('Service token not found')
  }
}
