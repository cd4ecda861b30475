import { ProgressBar } from '../states/progress-bar.tsx'

/** A small card at the bottom right that shows work in progress. `progress` from 0 to 1. */
export function FloatingCard({
  title,
  description,
  progress,
}: {
  title: string
  description: string
  progress?: number
}) {
  return (
    <aside className="floating-card" aria-label={title}>
      <output>
        <strong>{title}</strong>
        <span>{description}</span>
      </output>
      {progress !== undefined && <ProgressBar value={progress} label={title} />}
    </aside>
  )
}
