import { useEffect, useState } from 'react'
import { serverNow } from '../../api/server-clock.ts'
import { useServerClock } from '../../api/server-clock.ts'
import { formatAge, formatMoment } from './format-time.ts'

const everyMs = 30_000

/** How old the figures on screen are; `at` is when they were true, null when none were ever fetched. */
export function DataAge({ at, prefix = 'Updated' }: { at: string | number | Date | null; prefix?: string }) {
  const now = useNow()
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
