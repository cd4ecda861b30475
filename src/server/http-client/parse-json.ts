import type { z } from 'zod'
import { type Attempt, requestIdOf } from './failures/classify.ts'
import { parseLossless } from './lossless.ts'
import { AmbiguousOutcome, type UpstreamError, UpstreamMalformed } from './upstream-errors.ts'

/**
 * Parses a successful reply by its schema, whatever its media type says (vendors label the same body differently).
 * Integers too long for a double (ids) come as text. What cannot be read is UpstreamMalformed on a read and AmbiguousOutcome on a write, which did happen.
 */
export function parseJson<S extends z.ZodType>(
  attempt: Attempt,
  reply: Response,
  text: string,
  schema: S,
): z.output<S> {
  const fail = (words: string, cause?: unknown): UpstreamError => {
    const context = { ...attempt, status: reply.status, requestId: requestIdOf(reply.headers), cause }
    return attempt.effect === 'write' ? new AmbiguousOutcome(words, context) : new UpstreamMalformed(words, context)
  }
  let value: unknown
  try {
    value = text === '' ? null : parseLossless(text)
  } catch (error) {
    throw fail('the answer is no JSON', error)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const where = parsed.error.issues.slice(0, 3).map(i => `${i.path.join('.')}: ${i.message}`)
  throw fail(`unexpected answer (${where.join('; ')})`)
}
