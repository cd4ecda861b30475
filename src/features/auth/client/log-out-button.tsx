import './account.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#client/api/call.ts'
import { getSession, signOut } from '#client/api/session/session.ts'
import { askToLeaveUser } from '#client/outbox/leave-user.ts'
import { Button } from '#client/ui/states/button.tsx'
import { authEndpoints } from '../contract.ts'
import { userQueries } from './queries.ts'

/** Shows who is logged in, with the log-out button. */
export function AccountBlock() {
  const { data: user, isError } = useQuery(userQueries.user())
  // Whose device this is must be readable also where the whole answer is not.
  const { data: short } = useQuery({ ...userQueries.short(), enabled: isError && !user })
  const email = user?.email ?? short?.email
  return (
    <section className="account-block" aria-label="Your account">
      {email && (
        <p className="list-row-detail">
          Logged in as <strong>{email}</strong>
        </p>
      )}
      <LogOutButton />
    </section>
  )
}

export function LogOutButton() {
  const leave = useMutation({ mutationFn: logOut, meta: { silent: true } })
  const [saving, setSaving] = useState(false)
  const ask = async () => {
    setSaving(true)
    if (await askToLeaveUser('Log out?', 'Log out', { onSaved: () => setSaving(false) })) leave.mutate()
  }
  return (
    <Button tone="danger" busy={saving || leave.isPending} onClick={() => void ask()}>
      Log out
    </Button>
  )
}

/** Ends the session on this device, and on the server if it can be reached. */
async function logOut(): Promise<void> {
  const session = getSession()
  if (session) await call(authEndpoints.logout, { body: { refreshToken: session.refreshToken } }).catch(() => undefined)
  await signOut()
}
