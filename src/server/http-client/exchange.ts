import { type Attempt, classifyFailure, classifyReply } from './failures/classify.ts'
import type { Rate } from './token-buckets.ts'
import { UpstreamError } from './upstream-errors.ts'

export interface HttpRequest {
  /** A name for logs, errors and metrics, for instance `listCampaigns`. */
  operation: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers?: Record<string, string>
  body?: string
  /** `read` may be repeated without harm, `write` may not. A POST that only lists is a read. */
  effect: 'read' | 'write'
  /** The quota that the call draws on. */
  bucket?: { key: string; rate: Rate }
  timeoutMs?: number
  /** Waited for right before each attempt; what it rejects with is thrown instead of sending. */
  beforeSend?: () => Promise<void>
  /** Statuses beside 2xx that the caller reads itself. */
  accept?: readonly number[]
}

export type ReadReply<T> = (reply: Response, attempt: Attempt) => Promise<T>

/**
 * One request and its reply, within its time limit as long as `read` takes. Throws one of the upstream errors and
 * nothing else.
 */
export async function exchange<T>(
  request: HttpRequest,
  read: ReadReply<T>,
  { upstream, send, timeoutMs, now }: { upstream: string; send: typeof fetch; timeoutMs: number; now: () => Date },
): Promise<T> {
  const attempt: Attempt = { upstream, operation: request.operation, effect: request.effect }
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(new DOMException('timed out', 'TimeoutError')), timeoutMs)
  try {
    const reply = await send(request.url, {
      method: request.method,
      headers: request.headers ?? {},
      redirect: 'error',
      signal: abort.signal,
      ...(request.body === undefined ? {} : { body: request.body }),
    })
    if (!reply.ok && !request.accept?.includes(reply.status))
      throw classifyReply(attempt, reply, await reply.text(), now())
    return await read(reply, attempt)
  } catch (error) {
    throw error instanceof UpstreamError ? error : classifyFailure(attempt, error)
  } finally {
    clearTimeout(timer)
  }
}
