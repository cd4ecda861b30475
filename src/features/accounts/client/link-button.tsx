import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCanReach } from '#client/ui/shell/navigation/nav-context.ts'

interface LinkButtonProps {
  /** An address of any feature. */
  to: string
  search?: Record<string, unknown>
  tone?: 'primary' | 'quiet'
  children: ReactNode
}

/** A link that looks like a button, for what leads to another screen; nothing where the guard would lead back. */
export function LinkButton({ to, search, tone = 'quiet', children }: LinkButtonProps) {
  return (
    useCanReach(to) && (
      <Link to={to} {...(search && { search })} className={`button button-${tone}`}>
        {children}
      </Link>
    )
  )
}
