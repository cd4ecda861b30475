import pg from 'pg'

const retryMs = 1000
/** Detects a dead connection within minutes instead of hours. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/**
 * Calls `listener` with each payload notified on the channel, over a connection of its own. A lost connection is opened
 * again, and `onGap` is called, because notifications were missed. Rejects if the first connection cannot be opened.
 * Returns a function that stops listening and closes the connection.
 */
export async function listenOnServer(
  connectionString: string,
  channel: string,
  listener: (payload: string) => void,
  onGap?: () => void,
): Promise<() => Promise<void>> {
  let stopped = false
  let isFirst = true
  let retry: NodeJS.Timeout | undefined
  // Set while it is still connecting, so that stopping ends it too.
  let client: pg.Client
  const open = async (): Promise<void> => {
    const next = new pg.Client({ connectionString, ...keepAlive, connectionTimeoutMillis: 10_000 })
    client = next
    next.on('error', () => undefined)
    next.on('notification', message => message.channel === channel && listener(message.payload ?? ''))
    next.on('end', () => {
      if (!stopped) retry = setTimeout(() => void open().catch(() => undefined), retryMs).unref()
    })
    try {
      await next.connect()
      await next.query(`listen ${pg.escapeIdentifier(channel)}`)
      if (!isFirst) onGap?.()
      isFirst = false
    } catch (error) {
      // A connection that does not listen would stay open and never be replaced.
      await next.end()
      throw error
    }
  }
  const stop = async (): Promise<void> => {
    stopped = true
    clearTimeout(retry)
    await client.end()
  }
  await open().catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return stop
}
