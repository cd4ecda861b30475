import { useEffect, useEffectEvent } from 'react'
import { type EventSubscription, type ServerEvent, subscribeEvents } from './subscribe-events.ts'

interface Options {
  /** Follow only while true. */
  enabled?: boolean
  poll?: () => void
  onReconnect?: () => void
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
export function shareEvents(path: string, subscription: EventSubscription): () => void {
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
