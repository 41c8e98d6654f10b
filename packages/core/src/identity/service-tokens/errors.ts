import { NotFound } from '../../shared/errors.ts'

/** No token of this id was ever issued to a service. */
export class ServiceTokenNotFound extends NotFound {
  static readonly code = 'service_token_not_found'
  override readonly code = ServiceTokenNotFound.code
  constructor() {
    super('Service token not found')
  }
}
