interface ProgressBarProps {
  /** From 0 to 1. */
  value?: number
  label: string
  /** It came no further: accent where that wants a decision, danger where nothing came of it. */
  tone?: 'accent' | 'danger' | undefined
}

/** How far something is; without a value, that it goes on. */
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
