import { lazy, Suspense } from 'react'
import { useActiveLaunch } from './active-launch.ts'

const LaunchProgress = lazy(() => import('./launch-progress.tsx').then(m => ({ default: m.LaunchProgress })))

/** Tells of the launch that this device follows, on whatever page: over everything at first, as a card once dismissed. */
export function LaunchWatch() {
  const active = useActiveLaunch()
  if (!active) return null
  return (
    <Suspense>
      <LaunchProgress key={active.id} active={active} />
    </Suspense>
  )
}
