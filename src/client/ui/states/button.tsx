import type { ButtonHTMLAttributes } from 'react'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` once a screen; `accent` for a decision; `danger` for what cannot be undone. */
  tone?: 'primary' | 'quiet' | 'accent' | 'danger'
  busy?: boolean
  busyLabel?: string
  block?: boolean
}

/** A button of at least 44 px. A native one, so that forms submit with Enter and nothing waits for a component. */
export function Button({
  tone = 'quiet',
  busy = false,
  busyLabel,
  block = false,
  children,
  className = '',
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${tone} ${block ? 'button-block' : ''} ${className}`}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    >
      {busy && busyLabel ? busyLabel : children}
    </button>
  )
}
