import { errorOf } from '../../shared/errors.ts'

/** No service token has this id. */
export class ServiceTokenNotFound extends errorOf('service_token_not_found') {}
