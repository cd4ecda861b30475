import { useMutation } from '@tanstack/react-query'
import { useOnline } from '#client/api/online.ts'
import { Button } from '#client/ui/states/button.tsx'
import { resendVerification } from '../mutations.ts'

/** Resends the verification email. */
export function ResendEmail({ email }: { email: string }) {
  const resend = useMutation(resendVerification())
  const online = useOnline()
  return (
    <div aria-live="polite">
      {resend.isSuccess ? (
        <p>
          If <strong>{email}</strong> is not verified yet, a new email is on its way. Earlier links no longer work.
        </p>
      ) : (
        <Button busy={resend.isPending} busyLabel="Sending…" disabled={!online} onClick={() => resend.mutate(email)}>
          Resend email
        </Button>
      )}
    </div>
  )
}
