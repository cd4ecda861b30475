const secret = /token|secret|password|authorization|credential|email/i
/** The most characters that are kept of one body. */
const MAX_TEXT = 50_000
const listLengths = [1000, 200, 50, 10, 2]

const shortened = (value: unknown, most: number): unknown => {
  if (Array.isArray(value)) {
    const kept = value.slice(0, most).map(one => shortened(one, most))
    return value.length > most ? [...kept, `... and ${value.length - most} more`] : kept
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, secret.test(name) ? '[left out]' : shortened(one, most)]),
  )
}

/**
 * A body as a log keeps it: JSON without what names itself a secret, its lists cut as far as its length asks for; null
 * for nothing.
 */
export const asLogText = (body: unknown): string | null => {
  if (body === null || body === undefined) return null
  for (const most of listLengths) {
    const text = JSON.stringify(shortened(body, most))
    if (text.length <= MAX_TEXT) return text
  }
  return JSON.stringify(shortened(body, 1)).slice(0, MAX_TEXT)
}
