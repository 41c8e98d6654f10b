export { ClientError } from './client-error.ts'
export { type CallOptions, type Client, type ClientOptions, createClient } from './create-client.ts'
