import { type QueryFilters, useQueryClient } from '@tanstack/react-query'
import { hourglassOutline } from 'ionicons/icons'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { Notice } from './state-views.tsx'

const lateMs = 2000

/** True once `wait` has stayed the same for two seconds; null waits for nothing. */
export function useLate(wait: number | null): boolean {
  const [late, setLate] = useState<number | null>(null)
  useEffect(() => {
    if (wait === null) return
    const timer = setTimeout(() => setLate(wait), lateMs)
    return () => clearTimeout(timer)
  }, [wait])
  return wait !== null && late === wait
}

interface StillLoadingProps {
  /** An attempt has failed already; the next one follows by itself. */
  hasFailed: boolean
  /** The screen meanwhile shows the answer to an earlier choice. */
  isEarlier?: boolean
  /** What a tap does; without it everything that the screen lacks is asked for again. */
  onRetry?: () => void
}

/** Says after two seconds that an answer is still on its way, with a way to ask again. */
export function StillLoading({ hasFailed, isEarlier = false, onRetry }: StillLoadingProps) {
  const client = useQueryClient()
  const [attempt, setAttempt] = useState(1)
  const late = useLate(attempt)
  const retry = async (): Promise<void> => {
    setAttempt(attempt + 1)
    // A request that hangs would otherwise be waited for again.
    await client.cancelQueries(lacking)
    await client.refetchQueries(lacking)
  }
  if (!late) return null
  return (
    <Notice icon={hourglassOutline} action={<Button onClick={onRetry ?? (() => void retry())}>Try again</Button>}>
      {hasFailed ? 'No answer yet. Tideline keeps trying.' : 'Still loading. This takes longer than usual.'}
      {isEarlier && ' Until then you see your previous choice.'}
    </Notice>
  )
}

// What the screen has no answer to.
const lacking: QueryFilters = { type: 'active', predicate: ({ state }) => state.status === 'pending' }
