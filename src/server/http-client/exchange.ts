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
  /** A `read` can safely be retried, a `write` cannot. A POST that only lists is a read. */
  effect: 'read' | 'write'
  /** The quota that the call uses. */
  bucket?: { key: string; rate: Rate }
  timeoutMs?: number
  /** Runs right before each attempt. If it rejects, nothing is sent and its error is thrown. */
  beforeSend?: () => Promise<void>
  /** Statuses other than 2xx that the caller handles itself. */
  accept?: readonly number[]
}

export type ReadReply<T> = (reply: Response, attempt: Attempt) => Promise<T>

/**
 * Sends one request and reads its reply, both within one time limit. Throws UpstreamErrors only.
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
