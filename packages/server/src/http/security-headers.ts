/** The headers of every response, including refusals. One constant object is cheaper than a middleware that sets each header. */
export const securityHeaders = {
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'X-XSS-Protection': '1; mode=block',
  'Referrer-Policy': 'no-referrer',
  // A response belongs to one user and must not be stored in a shared cache (CVE-2026-44457).
  'Cache-Control': 'no-store',
} as const
