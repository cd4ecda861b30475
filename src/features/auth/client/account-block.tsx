import { useQuery } from '@tanstack/react-query'
import { userQueries } from './queries.ts'
import { LogOutButton } from './log-out-button.tsx'
import './account-block.css'

/** Shows who is logged in, with the log-out button. */
export function AccountBlock() {
  const { data: user } = useQuery(userQueries.user())
  return (
    <section className="account-block" aria-label="Your account">
      {user && (
        <p className="list-row-detail">
          Logged in as <strong>{user.email}</strong>
        </p>
      )}
      <LogOutButton />
    </section>
  )
}
