import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Page } from '#client/ui/ionic/page.tsx'
import './auth.css'

interface AuthFrameProps {
  title: string
  /** One sentence below the title. */
  intro?: ReactNode
  children: ReactNode
  /** Ways to the other screens, below. */
  links?: readonly { to: string; label: string }[]
}

/** The frame of a screen without log-in: the name of the product, one column, links to its neighbours. */
export function AuthFrame({ title, intro, children, links = [] }: AuthFrameProps) {
  return (
    <Page title={title}>
      <div className="auth">
        <p className="auth-brand" aria-hidden="true">
          <span className="auth-tide" />
          Tideline
        </p>
        {intro && <p className="auth-intro">{intro}</p>}
        {children}
        {links.length > 0 && (
          <nav className="auth-links" aria-label="Account">
            {links.map(({ to, label }) => (
              <Link key={to} to={to}>
                {label}
              </Link>
            ))}
          </nav>
        )}
      </div>
    </Page>
  )
}

/** What went wrong with the whole form, above its button; stays until the next try. */
export function FormFailure({ children }: { children: ReactNode }) {
  return (
    <p className="auth-failure" role="alert">
      {children}
    </p>
  )
}
