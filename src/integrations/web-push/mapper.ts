/**
 * `accepted`: the service has it, which is not yet the device. `gone`: the subscription is over, delete it. `retry`: send
 * it again, not before `retryAfterMs` where the service said so. `refused`: our fault (key, signature, size): somebody
 * has to look, and sending it again does not help.
 */
export type PushOutcome =
  | { outcome: 'accepted' }
  | { outcome: 'gone'; reason: string }
  | { outcome: 'retry'; reason: string; retryAfterMs?: number }
  | { outcome: 'refused'; reason: string }

/** What the answer of a push service means. */
export function outcomeOf(status: number, retryAfterMs: number | undefined): PushOutcome {
  const reason = `the push service answered ${status}`
  if (status >= 200 && status < 300) return { outcome: 'accepted' }
  if (status === 404 || status === 410) return { outcome: 'gone', reason }
  if (status === 429 || status === 408 || status >= 500)
    return { outcome: 'retry', reason, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  return { outcome: 'refused', reason }
}
