import { type ReactNode, useEffect, useRef } from 'react'
import { ProgressBar } from '../states/progress-bar.tsx'

interface FullScreenOverlayProps {
  open: boolean
  title: string
  message: string
  progress?: number
  tone?: 'accent' | 'danger'
  children?: ReactNode
}

/** Covers everything while something must not be interrupted. Escape does not close it. */
export function FullScreenOverlay({ open, title, message, progress, tone, children }: FullScreenOverlayProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (!open || !element) return
    element.showModal()
    return () => element.close()
  }, [open])
  if (!open) return null
  return (
    <dialog ref={dialog} className="full-overlay" aria-label={title} onCancel={event => event.preventDefault()}>
      <h2>{title}</h2>
      <p aria-live="polite">{message}</p>
      <ProgressBar label={title} {...(progress !== undefined && { value: progress })} tone={tone} />
      {children}
    </dialog>
  )
}
