/**
 * The end of an access token in seconds, and its user; empty when it cannot be read. Without a schema, because the early script uses it too and
 * must stay small.
 */
export function readClaims(token: string): { exp?: number | undefined; sub?: string | undefined } {
  const payload = token.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/')
  const claims = payload === undefined ? undefined : parseJson(decode(payload))
  if (typeof claims !== 'object' || claims === null) return {}
  const { exp, sub } = claims as Record<string, unknown>
  return { exp: typeof exp === 'number' ? exp : undefined, sub: typeof sub === 'string' ? sub : undefined }
}

const renewBeforeMs = 60_000

/** True when an access token ends within a minute, so that it must be renewed before it is used; false for one without an end. */
export function endsSoon(token: string, nowMs: number): boolean {
  const { exp } = readClaims(token)
  return exp !== undefined && exp * 1000 - nowMs < renewBeforeMs
}

function decode(base64: string): string {
  try {
    return atob(base64)
  } catch {
    return ''
  }
}

/** Parses JSON; null for no text, undefined for broken JSON. */
export function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}
