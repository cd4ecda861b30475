import { createEventParser, type ServerEvent } from './event-stream.ts'
import { freshAccessToken, signOut } from '../session/session.ts'

export interface EventSubscription {
  onEvent: (event: ServerEvent) => void
  /** Called every few seconds while the stream cannot be had, so that progress is still seen. */
  poll?: () => void
  /** Called when the stream stands again after a break: what was missed must be fetched. */
  onReconnect?: () => void
}

const pollEveryMs = 4000
const failuresBeforePolling = 2

/**
 * Follows a stream of the server (`path` below /api). It reads the stream with fetch, because EventSource cannot carry
 * the token. It waits while the page is hidden, tries again after 1 s up to 30 s, and polls meanwhile. Answers the way
 * to stop.
 */
export const subscribeEvents = (path: string, subscription: EventSubscription): (() => void) => {
  const stop = new AbortController()
  void follow(path, subscription, stop.signal)
  return () => stop.abort()
}

const follow = async (path: string, subscription: EventSubscription, stopped: AbortSignal): Promise<void> => {
  let failures = 0
  let broken = false
  let poller: ReturnType<typeof setInterval> | undefined
  const stopPolling = () => clearInterval(poller)
  stopped.addEventListener('abort', stopPolling)
  while (!stopped.aborted) {
    await untilVisible(stopped)
    if (stopped.aborted) break
    await readStream(path, subscription.onEvent, stopped, () => {
      stopPolling()
      if (broken) subscription.onReconnect?.()
      broken = false
      failures = 0
    })
    broken = true
    failures += 1
    if (failures === failuresBeforePolling && subscription.poll && !stopped.aborted) {
      const { poll } = subscription
      poller = setInterval(() => document.visibilityState === 'visible' && poll(), pollEveryMs)
    }
    await pause(Math.min(1000 * 2 ** (failures - 1), 30_000), stopped)
  }
}

const readStream = async (
  path: string,
  onEvent: (event: ServerEvent) => void,
  stopped: AbortSignal,
  onOpen: () => void,
): Promise<void> => {
  const hidden = new AbortController()
  const onVisibility = () => document.visibilityState === 'hidden' && hidden.abort()
  document.addEventListener('visibilitychange', onVisibility)
  try {
    const token = await freshAccessToken()
    const response = await fetch(`/api${path}`, {
      headers: { accept: 'text/event-stream', ...(token && { authorization: `Bearer ${token}` }) },
      signal: AbortSignal.any([stopped, hidden.signal]),
    })
    if (response.status === 401) await signOut()
    if (!response.ok || !response.body) return
    onOpen()
    const parse = createEventParser(onEvent)
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) parse(part.value)
  } catch {
    // A broken stream is the ordinary case on a phone: the caller tries again.
  } finally {
    document.removeEventListener('visibilitychange', onVisibility)
  }
}

const untilVisible = async (stopped: AbortSignal): Promise<void> => {
  if (document.visibilityState === 'visible') return
  const settled = Promise.withResolvers<void>()
  const check = () => (document.visibilityState === 'visible' || stopped.aborted) && settled.resolve()
  document.addEventListener('visibilitychange', check)
  stopped.addEventListener('abort', check)
  await settled.promise
  document.removeEventListener('visibilitychange', check)
  stopped.removeEventListener('abort', check)
}

const pause = async (ms: number, stopped: AbortSignal): Promise<void> => {
  const settled = Promise.withResolvers<void>()
  const end = () => settled.resolve()
  const timer = setTimeout(end, ms)
  // A page that stays open for days would gather one with every break.
  stopped.addEventListener('abort', end)
  await settled.promise
  clearTimeout(timer)
  stopped.removeEventListener('abort', end)
}
