interface ProgressBarProps {
  /** From 0 to 1. */
  value?: number
  label: string
  /** It came no further: something failed. */
  stopped?: boolean
}

/** How far something is; without a value, that it goes on. */
export const ProgressBar = ({ value, label, stopped = false }: ProgressBarProps) => (
  <progress
    className={stopped ? 'progress progress-stopped' : 'progress'}
    aria-label={label}
    max={1}
    value={value === undefined ? undefined : Math.min(1, Math.max(0, value))}
  />
)
