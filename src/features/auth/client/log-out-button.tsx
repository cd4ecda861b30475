import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { saveUnsavedWork } from '#client/api/session/unsaved-work.ts'
import { pendingEdits } from '#client/outbox/outbox.ts'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { Button } from '#client/ui/states/button.tsx'
import { logOut } from './mutations.ts'

/** Saves what can be saved, asks for confirmation and logs out. */
export function LogOutButton() {
  const leave = useMutation(logOut())
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
