import { useEffect, useState } from 'react'
import { serverNow, useServerClock, serverAheadMs } from '../../api/server-clock.ts'
import { formatAge, formatMoment, formatDay } from './format.ts'
import { useOnline } from '../../api/online.ts'

const everyMs = 30_000

interface DataAgeProps {
  at: string | number | Date | null | undefined
  prefix?: string
}

/**
 * How old the figures on screen are; `at` is when they were true, null when none were ever fetched, undefined while nothing
 * has arrived, which only takes the room.
 */
export function DataAge({ at, prefix = 'Updated' }: DataAgeProps) {
  const now = useNow()
  if (at === undefined) return <span className="data-age">&nbsp;</span>
  if (at === null || at === 0) return <span className="data-age">No figures yet</span>
  return (
    <span className="data-age">
      {prefix}{' '}
      <time dateTime={new Date(at).toISOString()} title={formatMoment(at)}>
        {formatAge(at, now)}
      </time>
    </span>
  )
}

function useNow(): number {
  const [, draw] = useState(0)
  useServerClock()
  useEffect(() => {
    const timer = setInterval(() => draw(n => n + 1), everyMs)
    return () => clearInterval(timer)
  }, [])
  return serverNow()
}

/** Says which of the days shown may still change; nothing when none may. */
export function MovingNote({ movingFrom, to }: { movingFrom: string | null; to: string }) {
  return movingFrom !== null && to >= movingFrom ? (
    <span className="data-age"> · data since {formatDay(movingFrom)} may change</span>
  ) : null
}

/**
 * While offline: how old what the screen shows is, by the oldest of its answers (device time, as the query cache notes it).
 * An answer that never came is 0 and has no age: the screen says by itself that it was not saved.
 */
export function OfflineAge({ updatedAt }: { updatedAt: readonly number[] }) {
  const online = useOnline()
  const answered = updatedAt.filter(at => at > 0)
  if (online || answered.length === 0) return null
  // Ages go by the server's clock.
  return <DataAge at={Math.min(...answered) + serverAheadMs()} prefix="Saved" />
}
