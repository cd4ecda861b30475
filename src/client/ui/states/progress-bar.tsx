/** How far something is, from 0 to 1; without a value, that it goes on. */
export const ProgressBar = ({ value, label }: { value?: number; label: string }) => (
  <progress
    className="progress"
    aria-label={label}
    max={1}
    value={value === undefined ? undefined : Math.min(1, Math.max(0, value))}
  />
)
