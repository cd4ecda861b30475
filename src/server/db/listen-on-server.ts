import pg from 'pg'

const retryMs = 1000

/**
 * Calls `listener` with each payload notified on the channel, over a connection of its own that is opened anew when it is
 * lost. Rejects when the first one cannot be opened; returns how to stop, after which none is open.
 */
export const listenOnServer = async (
  connectionString: string,
  channel: string,
  listener: (payload: string) => void,
): Promise<() => Promise<void>> => {
  let stopped = false
  let retry: NodeJS.Timeout | undefined
  // Also while it is being opened, so that stopping ends that one too.
  let client: pg.Client
  const open = async (): Promise<void> => {
    const next = new pg.Client({ connectionString, keepAlive: true, connectionTimeoutMillis: 10_000 })
    client = next
    next.on('error', () => undefined)
    next.on('notification', message => message.channel === channel && listener(message.payload ?? ''))
    next.on('end', () => {
      if (!stopped) retry = setTimeout(() => void open().catch(() => undefined), retryMs).unref()
    })
    try {
      await next.connect()
      await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      // Connected and deaf it would be neither heard of nor opened anew.
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
