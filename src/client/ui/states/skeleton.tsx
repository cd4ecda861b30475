/** Grey shapes where rows or cards will stand. */
export const Skeleton = ({
  rows = 3,
  kind = 'row',
  label = 'Loading',
}: {
  rows?: number
  kind?: 'row' | 'card' | 'line'
  label?: string
}) => (
  <output className={`skeleton skeleton-${kind}`}>
    <span className="visually-hidden">{label}</span>
    {Array.from({ length: rows }, (_, index) => (
      <span key={index} className="skeleton-shape" aria-hidden="true" />
    ))}
  </output>
)
