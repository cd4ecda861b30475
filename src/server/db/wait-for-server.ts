import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isLossState } from './connection-loss.ts'

export interface WaitOptions {
  /** How long a server that is still coming up is waited for; not at all when absent. */
  waitMs?: number
  /** Called while waiting, at first and then every ten seconds, with the reason. */
  onWait?: (reason: string) => void
}

const retryMs = 500
const repeatMs = 10_000
const connectMs = 10_000

/**
 * Waits until the server takes connections, at most `waitMs`. Rejects with the last failure then, and at once with one
 * that waiting does not cure: a wrong password, an unknown database or host.
 */
export async function waitForServer(connectionString: string, { waitMs = 0, onWait }: WaitOptions): Promise<void> {
  const began = Date.now()
  let announcedAt = -Infinity
  for (;;) {
    const failed = await connectOnce(connectionString)
    if (failed === null) return
    const now = Date.now()
    if (!failed.mayPass || now - began >= waitMs) throw failed.failure
    if (now - announcedAt >= repeatMs) {
      announcedAt = now
      onWait?.(reasonOf(failed.failure))
    }
    await sleep(retryMs)
  }
}

interface FailedConnect {
  failure: Error & { code?: string }
  mayPass: boolean
}

async function connectOnce(connectionString: string): Promise<FailedConnect | null> {
  const began = performance.now()
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: connectMs })
  let isCutOff = false
  client.on('error', () => undefined)
  client.on('end', () => {
    isCutOff = true
  })
  try {
    await client.connect()
    return null
  } catch (error) {
    // A server that hangs up without a word says so only after the failure itself.
    await turn()
    const failure: FailedConnect['failure'] = error instanceof Error ? error : new Error(String(error))
    // The library gives these two no code.
    if (failure.code === undefined && performance.now() - began >= connectMs) failure.code = 'ETIMEDOUT'
    else if (failure.code === undefined && isCutOff) failure.code = 'ECONNRESET'
    return { failure, mayPass: passesByItself(failure) }
  } finally {
    await client.end().catch(() => undefined)
  }
}

function passesByItself(failure: FailedConnect['failure']): boolean {
  if (failure instanceof pg.DatabaseError) return isLossState(failure.code)
  // A host that nobody knows is more often misspelt than late.
  return failure.code !== undefined && failure.code !== 'ENOTFOUND'
}

// Each address of a host may have failed for a reason of its own; then the whole names none.
function reasonOf(failure: Error): string {
  const first: unknown = failure instanceof AggregateError ? failure.errors[0] : undefined
  return first instanceof Error ? first.message : failure.message
}
