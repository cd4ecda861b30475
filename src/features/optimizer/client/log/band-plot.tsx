interface BandPlotProps {
  /** What it shows, in words, with its figures: all that a screen reader gets. */
  label: string
  low: number
  high: number
  /** What came, or what is most likely; null where nothing is known. */
  point: number | null
  /** What others like it have. */
  reference?: number | undefined
}

/** Where a figure is expected in 8 of 10 cases, as a bar, with what came as a dot and what is usual as a line. */
export function BandPlot({ label, low, high, point, reference }: BandPlotProps) {
  const most = Math.max(high, point ?? 0, reference ?? 0) * 1.1 || 1
  const at = (value: number): string => `${Math.min(100, Math.max(0, (value / most) * 100))}%`
  const isOutside = point !== null && (point < low || point > high)
  return (
    <div className="band-plot" aria-label={label} {...{ role: 'img' }}>
      <span className="band-range" style={{ insetInlineStart: at(low), width: at(high - low) }} />
      {reference !== undefined && <span className="band-usual" style={{ insetInlineStart: at(reference) }} />}
      {point !== null && (
        <span
          className={isOutside ? 'band-point band-outside' : 'band-point'}
          style={{ insetInlineStart: at(point) }}
        />
      )}
    </div>
  )
}
