import { type ReactNode, useState } from 'react'

interface FoldProps {
  summary: ReactNode
  children: ReactNode
  className?: string
}

/** What is shown, and asked for, only once someone opens it. */
export const Fold = ({ summary, children, className = '' }: FoldProps) => {
  const [open, setOpen] = useState(false)
  return (
    <details className={`log-fold ${className}`} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open && children}
    </details>
  )
}
