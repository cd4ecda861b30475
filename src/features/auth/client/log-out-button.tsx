import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#client/api/call.ts'
import { getSession, signOut } from '#client/api/session/session.ts'
import { askToLeaveUser } from '#client/outbox/leave-user.ts'
import { Button } from '#client/ui/states/button.tsx'
import { authEndpoints } from '../contract.ts'

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
