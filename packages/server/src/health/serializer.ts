import type { Output } from '@countersign/contract'
import { type HealthReport, type ReadinessReport, toIsoTimestamp } from '@countersign/core'

export const serializeHealth = (
  { status, at, services, uptimeMs }: HealthReport,
  { version, isDraining }: { readonly version: string; readonly isDraining: boolean },
): Output<'health.check'> => ({
  status: isDraining ? 'draining' : status,
  timestamp: toIsoTimestamp(at),
  version,
  services: { database: services.database, cache: services.cache, push_provider: services.pushProvider },
  uptime: Math.floor(uptimeMs / 1000),
})

export const serializeReadiness = ({ status, at }: ReadinessReport, isDraining: boolean): Output<'health.ready'> => ({
  status: isDraining ? 'draining' : status,
  timestamp: toIsoTimestamp(at),
})
