import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { saveOwnWork } from '#client/api/session/own-work.ts'
import { waitingEdits } from '#client/outbox/outbox.ts'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { Button } from '#client/ui/states/button.tsx'
import { logOut } from '../mutations.ts'

const kept = 'What this device keeps of your figures is removed from it.'
const lost = (count: number): string =>
  count === 1 ? '1 change waits for the network and is lost.' : `${count} changes wait for the network and are lost.`

/** Ends the session on this device, after saving what can be saved and asking. */
export function LogOutButton() {
  const leave = useMutation(logOut())
  const [saving, setSaving] = useState(false)
  const ask = async () => {
    setSaving(true)
    const atRisk = await saveOwnWork().finally(() => setSaving(false))
    const waiting = waitingEdits().length
    const sure = await confirm({
      title: 'Log out?',
      message: [kept, ...(waiting > 0 ? [lost(waiting)] : []), ...atRisk].join(' '),
      confirmText: 'Log out',
    })
    if (sure) leave.mutate()
  }
  return (
    <Button tone="danger" busy={saving || leave.isPending} onClick={() => void ask()}>
      Log out
    </Button>
  )
}
