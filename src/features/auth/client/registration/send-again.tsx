import { useMutation } from '@tanstack/react-query'
import { useOnline } from '#client/api/online.ts'
import { Button } from '#client/ui/states/button.tsx'
import { resendVerification } from '../mutations.ts'

/** Has the verification mail sent once more, and says so. */
export function SendAgain({ email }: { email: string }) {
  const resend = useMutation(resendVerification())
  const online = useOnline()
  return (
    <div aria-live="polite">
      {resend.isSuccess ? (
        <p>
          If <strong>{email}</strong> still waits to be verified, a new mail is on its way. Links sent before no longer
          work.
        </p>
      ) : (
        <Button busy={resend.isPending} busyLabel="Sending…" disabled={!online} onClick={() => resend.mutate(email)}>
          Send again
        </Button>
      )}
    </div>
  )
}
