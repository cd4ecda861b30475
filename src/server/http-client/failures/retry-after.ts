/** A Retry-After header (seconds or an HTTP date) in milliseconds from `now`; undefined if absent or invalid. */
export function parseRetryAfter(header: string | null, now: Date): number | undefined {
  if (!header) return undefined
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Math.ceil(Number(header) * 1000)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}
