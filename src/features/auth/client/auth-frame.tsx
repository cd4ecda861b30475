import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Page } from '#client/ui/ionic/page.tsx'
import './auth.css'

interface AuthFrameProps {
  title: string
  /** One sentence below the title. */
  intro?: ReactNode
  children: ReactNode
  /** Links to the other screens, below the content. */
  links?: readonly { to: string; label: string }[]
}

/** The layout of the screens for users who are not logged in. */
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

/** The error of a form as a whole, above its button. */
export function FormFailure({ children }: { children: ReactNode }) {
  return (
    <p className="auth-failure" role="alert">
      {children}
    </p>
  )
}
