import { useMutation } from '@tanstack/react-query'
import { confirm } from '#client/ui/overlays/confirm.ts'
import { Button } from '#client/ui/states/button.tsx'
import { logOut } from './mutations.ts'

/** Ends the session on this device, after asking. */
export const LogOutButton = () => {
  const leave = useMutation(logOut())
  const ask = async () => {
    const sure = await confirm({
      title: 'Log out?',
      message: 'What this device keeps of your figures is removed from it.',
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
