export interface SkeletonProps {
  rows?: number
  kind?: 'row' | 'card' | 'line'
  /** Read out while it is on screen. */
  label?: string
}

/** Grey shapes in the place of rows or cards that are still loading. */
export function Skeleton({ rows = 3, kind = 'row', label = 'Loading' }: SkeletonProps) {
  return (
    <output className={`skeleton skeleton-${kind}`}>
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} className="skeleton-shape" aria-hidden="true" />
      ))}
    </output>
  )
}
