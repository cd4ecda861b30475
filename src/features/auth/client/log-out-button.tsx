import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#client/api/call.ts'
import { getSession, signOut } from '#client/api/session/session.ts'
import { discardUnsavedWork, saveUnsavedWork } from '#client/api/session/unsaved-work.ts'
import { discardOwnEdits, pendingEdits } from '#client/outbox/outbox.ts'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { Button } from '#client/ui/states/button.tsx'
import { authEndpoints } from '../contract.ts'

export function LogOutButton() {
  const leave = useMutation({ mutationFn: logOut, meta: { silent: true } })
  const [saving, setSaving] = useState(false)
  const ask = async () => {
    setSaving(true)
    const atRisk = await saveUnsavedWork().finally(() => setSaving(false))
    const unsent = pendingEdits().length
    const lost = unsent === 1 ? ['1 unsent change will be lost.'] : [`${unsent} unsent changes will be lost.`]
    const isConfirmed = await confirm({
      title: 'Log out?',
      message: ['Your data is removed from this device.', ...(unsent > 0 ? lost : []), ...atRisk].join(' '),
      confirmText: 'Log out',
    })
    if (isConfirmed) leave.mutate()
  }
  return (
    <Button tone="danger" busy={saving || leave.isPending} onClick={() => void ask()}>
      Log out
    </Button>
  )
}

/**
 * Ends the session on this device, and on the server if it can be reached. Deletes the user's unsaved work: the user has
 * confirmed this, and the next user of this device must not see it.
 */
async function logOut(): Promise<void> {
  const session = getSession()
  discardOwnEdits()
  discardUnsavedWork()
  if (session) await call(authEndpoints.logout, { body: { refreshToken: session.refreshToken } }).catch(() => undefined)
  await signOut()
}
