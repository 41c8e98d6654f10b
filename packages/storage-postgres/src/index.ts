export { type HostPool, openPostgres, type PostgresOptions, type PostgresPoolOptions, type PostgresUrlOptions } from './open.ts'
