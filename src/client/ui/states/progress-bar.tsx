interface ProgressBarProps {
  value?: number
  label: string
  /** Set when it stopped: accent when a decision is needed, danger when it failed. */
  tone?: 'accent' | 'danger' | undefined
}

/** The progress of something; without a value it only shows that work is going on. */
export function ProgressBar({ value, label, tone }: ProgressBarProps) {
  return (
    <progress
      className={tone ? `progress progress-${tone}` : 'progress'}
      aria-label={label}
      max={1}
      value={value === undefined ? undefined : Math.min(1, Math.max(0, value))}
    />
  )
}
