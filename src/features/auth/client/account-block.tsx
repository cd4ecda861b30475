import { useQuery } from '@tanstack/react-query'
import { useCanReach } from '#client/ui/shell/navigation/nav-context.ts'
import { ChangePasswordForm } from './change-password-form.tsx'
import { userQueries } from './queries.ts'
import { LogOutButton } from './log-out-button.tsx'
import './account-block.css'

/** Shows who is logged in, with the log-out button, and the password form for users who cannot open Settings. */
export function AccountBlock() {
  const { data: user } = useQuery(userQueries.user())
  const canReachSettings = useCanReach('/settings')
  return (
    <section className="account-block" aria-label="Your account">
      {user && (
        <>
          <p className="list-row-detail">
            Logged in as <strong>{user.email}</strong>
          </p>
          {!canReachSettings && (
            <details>
              <summary>Change password</summary>
              <ChangePasswordForm email={user.email} />
            </details>
          )}
        </>
      )}
      <LogOutButton />
    </section>
  )
}
