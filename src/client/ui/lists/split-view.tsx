import type { ReactNode } from 'react'
import { useWide } from '../shell/use-wide.ts'

interface SplitViewProps {
  list: ReactNode
  /** What is chosen; null when nothing is. */
  detail: ReactNode
  /** What stands beside the list from 768 px while nothing is chosen. */
  empty: ReactNode
}

/** A list beside its detail from 768 px; on a phone the one or the other. Goes into a wide Page. */
export const SplitView = ({ list, detail, empty }: SplitViewProps) => {
  const wide = useWide()
  if (!wide) return detail ?? list
  return (
    <div className="split-view">
      <div>{list}</div>
      <div className="split-detail">{detail ?? empty}</div>
    </div>
  )
}
