import { useStoredCount } from '#client/outbox/outbox.ts'

function changes(count: number): string {
  return count === 1
    ? '1 change made without network is kept on this device. It is sent once the user who made it logs in again.'
    : `${count} changes made without network are kept on this device. They are sent once the user who made them logs in again.`
}

/** What waits for the return of its maker after a session's end. Says neither what nor whose, for anybody may read it. */
export function WaitingOnDevice() {
  const count = useStoredCount()
  return count > 0 && <output className="auth-waiting">{changes(count)}</output>
}
