import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

interface LinkButtonProps {
  /** An address of any feature. */
  to: string
  search?: Record<string, unknown>
  tone?: 'primary' | 'quiet'
  children: ReactNode
}

/** A link that looks like a button, for what leads to another screen. */
export const LinkButton = ({ to, search, tone = 'quiet', children }: LinkButtonProps) => (
  <Link to={to} {...(search && { search })} className={`button button-${tone}`}>
    {children}
  </Link>
)
