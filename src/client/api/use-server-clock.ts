import { useState, useSyncExternalStore } from 'react'
import { onServerClock, serverAheadMs, serverNow } from './server-clock.ts'

/** How far the server's clock is ahead of the device's; what is drawn with `serverNow` is drawn again when it changes. */
export const useServerClock = (): number => useSyncExternalStore(onServerClock, serverAheadMs)

/**
 * The day that `dayAt` tells for the server's present moment. It stays the same while the screen is open, over midnight as
 * well, unless the server's clock turns out to differ.
 */
export const useToday = (dayAt: (at: Date) => string): string => {
  const ahead = useServerClock()
  const [opened, setOpened] = useState(() => ({ ahead, at: serverNow() }))
  if (opened.ahead !== ahead) setOpened({ ahead, at: serverNow() })
  return dayAt(new Date(opened.at))
}
