// Codes that say the connection was never made, so that the request cannot have been acted upon.
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
])

/** True when a failed fetch certainly never reached the service. */
export const wasNeverSent = (error: unknown): boolean => codesOf(error).some(code => neverConnected.has(code))

/** A few words on a failed fetch for logs: the innermost code or message. */
export function describeFailure(error: unknown): string {
  const codes = codesOf(error)
  if (codes.length) return codes.join(', ')
  return error instanceof Error ? (error.name === 'TimeoutError' ? 'timed out' : error.message) : 'unknown failure'
}

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : []
  // A host with several addresses fails with one error an address.
  const inner = error instanceof AggregateError ? error.errors.flatMap(codesOf) : []
  return [...own, ...inner, ...codesOf(error.cause)]
}
