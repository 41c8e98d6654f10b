import type { Output } from '@countersign/contract'
import { type HealthReport, toIsoTimestamp } from '@countersign/core'

export const serializeHealth = ({ status, at, services, uptimeMs }: HealthReport, version: string): Output<'health.check'> => ({
  status,
  timestamp: toIsoTimestamp(at),
  version,
  services: { database: services.database, cache: services.cache, push_provider: services.pushProvider },
  uptime: Math.floor(uptimeMs / 1000),
})
