import { useMutation } from '@tanstack/react-query'
import { waitingEdits } from '#client/outbox/outbox.ts'
import { confirm } from '#client/ui/overlays/confirm.ts'
import { Button } from '#client/ui/states/button.tsx'
import { logOut } from '../mutations.ts'

const kept = 'What this device keeps of your figures is removed from it.'
const lost = (count: number): string =>
  count === 1 ? ' 1 change waits for the network and is lost.' : ` ${count} changes wait for the network and are lost.`

/** Ends the session on this device, after asking. */
export const LogOutButton = () => {
  const leave = useMutation(logOut())
  const ask = async () => {
    const waiting = waitingEdits().length
    const sure = await confirm({
      title: 'Log out?',
      message: waiting > 0 ? kept + lost(waiting) : kept,
      confirmText: 'Log out',
    })
    if (sure) leave.mutate()
  }
  return (
    <Button tone="danger" busy={leave.isPending} onClick={() => void ask()}>
      Log out
    </Button>
  )
}
