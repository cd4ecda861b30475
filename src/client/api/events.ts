import { useEffect, useEffectEvent } from 'react'
import { noteChange } from './call.ts'
import { noteUnreached } from './reachability.ts'
import { freshAccessToken, signOut } from './session/session.ts'

export interface ServerEvent {
  event: string
  data: string
  id: string | undefined
}

interface EventSubscription {
  onEvent: (event: ServerEvent) => void
  /** Called every few seconds while the stream is not available, so that progress is still visible. */
  poll?: () => void
  /** Called when the stream is open again after a break: what was missed must be fetched. */
  onReconnect?: () => void
}

const pollEveryMs = 4000
const failuresBeforePolling = 2

/**
 * Follows a stream of the server (`path` below /api). It reads the stream with fetch, because EventSource cannot send the
 * token. It pauses while the page is hidden, reconnects after 1 s up to 30 s, and polls meanwhile. Returns a function that
 * stops it.
 */
function subscribeEvents(path: string, subscription: EventSubscription): () => void {
  const stop = new AbortController()
  void follow(path, subscription, stop.signal)
  return () => stop.abort()
}

async function follow(path: string, subscription: EventSubscription, stopped: AbortSignal): Promise<void> {
  let failures = 0
  let broken = false
  let poller: ReturnType<typeof setInterval> | undefined
  const stopPolling = () => clearInterval(poller)
  const onOpen = () => {
    stopPolling()
    if (broken) subscription.onReconnect?.()
    broken = false
    failures = 0
  }
  stopped.addEventListener('abort', stopPolling)
  while (!stopped.aborted) {
    await untilVisible(stopped)
    if (stopped.aborted) break
    await readStream(path, subscription.onEvent, stopped, onOpen)
    broken = true
    failures += 1
    if (failures === failuresBeforePolling && subscription.poll && !stopped.aborted) {
      const { poll } = subscription
      poller = setInterval(() => document.visibilityState === 'visible' && poll(), pollEveryMs)
    }
    await pause(Math.min(1000 * 2 ** (failures - 1), 30_000), stopped)
  }
}

async function readStream(
  path: string,
  onEvent: (event: ServerEvent) => void,
  stopped: AbortSignal,
  onOpen: () => void,
): Promise<void> {
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
    // Loaded on demand: no screen waits for it.
    const { createParser } = await import('eventsource-parser')
    const parser = createParser({
      onEvent: ({ event = 'message', data, id }) => {
        noteChange()
        onEvent({ event, data, id })
      },
    })
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let part = await reader.read(); !part.done; part = await reader.read()) parser.feed(part.value)
  } catch {
    // On a phone a broken stream is normal: the caller reconnects. It also tells first that the server is gone.
    if (!stopped.aborted && !hidden.signal.aborted) noteUnreached()
  } finally {
    document.removeEventListener('visibilitychange', onVisibility)
  }
}

async function untilVisible(stopped: AbortSignal): Promise<void> {
  if (document.visibilityState === 'visible') return
  const settled = Promise.withResolvers<void>()
  const check = () => (document.visibilityState === 'visible' || stopped.aborted) && settled.resolve()
  document.addEventListener('visibilitychange', check)
  stopped.addEventListener('abort', check)
  await settled.promise
  document.removeEventListener('visibilitychange', check)
  stopped.removeEventListener('abort', check)
}

async function pause(ms: number, stopped: AbortSignal): Promise<void> {
  const settled = Promise.withResolvers<void>()
  const end = () => settled.resolve()
  const timer = setTimeout(end, ms)
  // Without its removal a page that is open for days would collect a listener with every break.
  stopped.addEventListener('abort', end)
  await settled.promise
  clearTimeout(timer)
  stopped.removeEventListener('abort', end)
}

interface Options extends Pick<EventSubscription, 'poll' | 'onReconnect'> {
  enabled?: boolean
}

/** Follows a stream of the server while the component is on screen; see shareEvents. */
export function useEvents(
  path: string,
  onEvent: (event: ServerEvent) => void,
  { enabled = true, poll, onReconnect }: Options = {},
): void {
  const handle = useEffectEvent(onEvent)
  const handlePoll = useEffectEvent(() => poll?.())
  const handleReconnect = useEffectEvent(() => onReconnect?.())
  const polls = poll !== undefined
  useEffect(() => {
    if (!enabled) return
    return shareEvents(path, {
      onEvent: event => handle(event),
      onReconnect: () => handleReconnect(),
      ...(polls && { poll: () => handlePoll() }),
    })
  }, [path, enabled, polls])
}

interface Stream {
  subscriptions: Set<EventSubscription>
  stop: () => void
}
const streams = new Map<string, Stream>()

/**
 * Follows a stream of the server like subscribeEvents, over one connection for the whole page: a browser opens only a few
 * to one server, and each open stream takes one. Returns a function that stops it.
 */
function shareEvents(path: string, subscription: EventSubscription): () => void {
  const stream = streams.get(path) ?? openStream(path)
  stream.subscriptions.add(subscription)
  return () => {
    stream.subscriptions.delete(subscription)
    if (stream.subscriptions.size > 0 || streams.get(path) !== stream) return
    streams.delete(path)
    stream.stop()
  }
}

function openStream(path: string): Stream {
  const subscriptions = new Set<EventSubscription>()
  const stop = subscribeEvents(path, {
    onEvent: event => subscriptions.forEach(one => one.onEvent(event)),
    poll: () => subscriptions.forEach(one => one.poll?.()),
    onReconnect: () => subscriptions.forEach(one => one.onReconnect?.()),
  })
  const stream = { subscriptions, stop }
  streams.set(path, stream)
  return stream
}
