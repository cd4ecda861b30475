import { useEffect, useEffectEvent } from 'react'
import type { ServerEvent } from './events/event-stream.ts'
import { shareEvents } from './events/share-events.ts'

interface Options {
  /** Follow only while true. */
  enabled?: boolean
  poll?: () => void
  onReconnect?: () => void
}

/** Follows a stream of the server while the component is on screen; see shareEvents. */
export const useEvents = (
  path: string,
  onEvent: (event: ServerEvent) => void,
  { enabled = true, poll, onReconnect }: Options = {},
): void => {
  const handle = useEffectEvent(onEvent)
  const handlePoll = useEffectEvent(() => poll?.())
  const handleReconnect = useEffectEvent(() => onReconnect?.())
  const polls = poll !== undefined
  useEffect(() => {
    if (!enabled) return
    return shareEvents(path, {
      onEvent: e => handle(e),
      onReconnect: () => handleReconnect(),
      ...(polls && { poll: () => handlePoll() }),
    })
  }, [path, enabled, polls])
}
