import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isLossState } from './connection-loss.ts'

export interface WaitOptions {
  /** How long to wait for a server that is still starting; 0 by default. */
  waitMs?: number
  /** Called while waiting, immediately and then every ten seconds, with the reason. */
  onWait?: (reason: string) => void
}

const retryMs = 500
const announceMs = 10_000
const connectMs = 10_000

/**
 * Waits until the server accepts connections, at most `waitMs`; then rejects with the last failure. Rejects immediately
 * if waiting does not help: with a wrong password, an unknown database or host.
 */
export async function waitForServer(connectionString: string, { waitMs = 0, onWait }: WaitOptions): Promise<void> {
  const startedAt = Date.now()
  let announcedAt = -Infinity
  for (;;) {
    const attempt = await connectOnce(connectionString)
    if (attempt === null) return
    const now = Date.now()
    if (!attempt.isTemporary || now - startedAt >= waitMs) throw attempt.error
    if (now - announcedAt >= announceMs) {
      announcedAt = now
      onWait?.(reasonOf(attempt.error))
    }
    await sleep(retryMs)
  }
}

interface FailedAttempt {
  error: Error & { code?: string }
  isTemporary: boolean
}

async function connectOnce(connectionString: string): Promise<FailedAttempt | null> {
  const startedAt = performance.now()
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectMs })
  let isClosed = false
  client.on('error', () => undefined)
  client.on('end', () => {
    isClosed = true
  })
  try {
    await client.connect()
    return null
  } catch (error) {
    // If the server closes the connection, its end event comes after the failure.
    await turn()
    const failure: FailedAttempt['error'] = error instanceof Error ? error : new Error(String(error))
    // The library sets no code for these two.
    if (failure.code === undefined && performance.now() - startedAt >= connectMs) failure.code = 'ETIMEDOUT'
    else if (failure.code === undefined && isClosed) failure.code = 'ECONNRESET'
    return { error: failure, isTemporary: isTemporary(failure) }
  } finally {
    await client.end().catch(() => undefined)
  }
}

function isTemporary(failure: FailedAttempt['error']): boolean {
  if (failure instanceof pg.DatabaseError) return isLossState(failure.code)
  // An unknown host is more likely misspelled than late.
  return failure.code !== undefined && failure.code !== 'ENOTFOUND'
}

// If a host has several addresses, each has failed for its own reason and the outer error names none.
function reasonOf(failure: Error): string {
  const first: unknown = failure instanceof AggregateError ? failure.errors[0] : undefined
  return first instanceof Error ? first.message : failure.message
}
