import { useState } from 'react'
import { type FigureKind, formatFigure, formatFigureShort } from './format.ts'

export interface FigureProps {
  /** Money as a decimal amount, percentages in percent; null when it cannot be known. */
  value: number | null
  kind: FigureKind
  currency?: string
  /** Why the value is unknown. */
  reason?: string
  /** Without the tap, for use inside a link or button. */
  still?: boolean
}
const unknownReason = 'Not known: there is nothing to work it out from yet.'

/** A figure in short form; a tap shows it in full, or why it is unknown. */
export function Figure({ value, kind, currency, reason = unknownReason, still }: FigureProps) {
  const [open, setOpen] = useState(false)
  const full = value === null ? reason : formatFigure(value, kind, currency)
  const shown = value === null ? '–' : formatFigureShort(value, kind, currency)
  if (shown === full) return <span className="figure">{full}</span>
  const spoken = (
    <>
      <span aria-hidden="true">{shown}</span>
      <span className="visually-hidden">{full}</span>
    </>
  )
  if (still) return <span className="figure">{spoken}</span>
  return (
    <button type="button" className="figure figure-tap" onClick={() => setOpen(!open)}>
      {open ? <span className={value === null ? 'figure-reason' : ''}>{full}</span> : spoken}
    </button>
  )
}

/** An amount in full, with the digits of its currency. */
export function Money({ amount, currency }: { amount: number | null; currency: string }) {
  return <span className="figure">{amount === null ? '–' : formatFigure(amount, 'money', currency)}</span>
}
