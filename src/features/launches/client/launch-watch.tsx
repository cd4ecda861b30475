import { lazy, Suspense } from 'react'
import { useActiveLaunch } from './active-launch.ts'

const LaunchProgress = lazy(() => import('./launch-progress.tsx').then(m => ({ default: m.LaunchProgress })))

export function LaunchWatch() {
  const active = useActiveLaunch()
  if (!active) return null
  return (
    <Suspense>
      <LaunchProgress key={active.id} active={active} />
    </Suspense>
  )
}
