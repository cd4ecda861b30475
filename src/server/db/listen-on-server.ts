import pg from 'pg'

const retryMs = 1000
/** A connection that silently leads nowhere is noticed within minutes instead of hours. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/**
 * Calls `listener` with each payload notified on the channel, over a connection of its own that is opened again when it is
 * lost, and then `onGap`, since what was notified meanwhile is missed. Rejects when the first one cannot be opened; returns
 * how to stop, after which none is open.
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
  // Also while it is being opened, so that stopping ends that one too.
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
