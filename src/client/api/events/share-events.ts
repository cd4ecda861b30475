import type { ServerEvent } from './event-stream.ts'
import { type EventSubscription, subscribeEvents } from './subscribe-events.ts'

interface Stream {
  listeners: Set<EventSubscription>
  stop: () => void
}
const streams = new Map<string, Stream>()

const open = (path: string): Stream => {
  const listeners = new Set<EventSubscription>()
  const stop = subscribeEvents(path, {
    onEvent: (event: ServerEvent) => listeners.forEach(one => one.onEvent(event)),
    poll: () => listeners.forEach(one => one.poll?.()),
    onReconnect: () => listeners.forEach(one => one.onReconnect?.()),
  })
  const stream = { listeners, stop }
  streams.set(path, stream)
  return stream
}

/**
 * Follows a stream of the server like subscribeEvents, over one connection for all of the page who follow the same one: a
 * browser opens few to a server, and each open stream holds one. Answers the way to stop.
 */
export const shareEvents = (path: string, subscription: EventSubscription): (() => void) => {
  const stream = streams.get(path) ?? open(path)
  stream.listeners.add(subscription)
  return () => {
    stream.listeners.delete(subscription)
    if (stream.listeners.size > 0 || streams.get(path) !== stream) return
    streams.delete(path)
    stream.stop()
  }
}
