import './account.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import { queryClient } from '#client/api/query-client.ts'
import { signOut } from '#client/api/session/session.ts'
import { serverNow } from '#client/api/server-clock.ts'
import { askToLeaveUser } from '#client/outbox/leave-user.ts'
import { formatAge, formatMomentDay } from '#client/ui/figures/format.ts'
import { Card } from '#client/ui/lists/card.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { type LoginSession, userEndpoints } from '../user-contract.ts'

const sessionsQuery = () => ({
  queryKey: ['sessions'],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(userEndpoints.sessions, {}, { signal }),
  meta: { silent: true } as const,
})

/** Among the settings: where the user is logged in, and ending one log-in or all of them. */
export function SessionsCard() {
  const query = useQuery(sessionsQuery())
  return (
    <Card title="Where you are logged in">
      <QueryView
        query={query}
        loading={{ rows: 2, kind: 'row', label: 'Loading your log-ins' }}
        failedTitle="Your log-ins could not be loaded"
      >
        {sessions => (
          <>
            <ul className="sessions">
              {sessions.map(session => (
                <Session key={session.id} session={session} />
              ))}
            </ul>
            <EndAll hasOthers={sessions.some(({ isCurrent }) => !isCurrent)} />
          </>
        )}
      </QueryView>
    </Card>
  )
}

const nameOf = ({ device }: LoginSession): string => device ?? 'Unknown browser'

function Session({ session }: { session: LoginSession }) {
  const online = useOnline()
  const end = useMutation({
    mutationFn: () => call(userEndpoints.endSession, { params: { id: session.id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionsQuery().queryKey }),
    meta: { errorTitle: 'The log-in was not ended' },
  })
  const { isCurrent, lastUsedAt, createdAt } = session
  const used = isCurrent ? 'This device, in use now' : `Last used ${formatAge(lastUsedAt, serverNow())}`
  return (
    <li>
      <span>
        <strong>{nameOf(session)}</strong>
        <small>
          {used} · logged in {formatMomentDay(createdAt)}
        </small>
      </span>
      {!isCurrent && (
        <Button
          busy={end.isPending}
          disabled={!online}
          aria-label={`Log out ${nameOf(session)}`}
          onClick={() => end.mutate()}
        >
          Log out
        </Button>
      )}
    </li>
  )
}

function EndAll({ hasOthers }: { hasOthers: boolean }) {
  const online = useOnline()
  const end = useMutation({
    mutationFn: (keepThis: boolean) => call(userEndpoints.endSessions, { body: { keepThis } }),
    onSuccess: async (_, keepThis) => {
      if (!keepThis) return signOut()
      toast({ title: 'Logged out everywhere else', tone: 'success' })
      await queryClient.invalidateQueries({ queryKey: sessionsQuery().queryKey })
    },
    meta: { errorTitle: 'Your log-ins were not ended' },
  })
  const endOthers = async () => {
    const isSure = await confirm({
      title: 'Log out on all other devices?',
      message: 'They must log in again. This device stays logged in.',
      confirmText: 'Log out the others',
    })
    if (isSure) end.mutate(true)
  }
  const endAll = async () => {
    if (await askToLeaveUser('Log out everywhere, also on this device?', 'Log out everywhere')) end.mutate(false)
  }
  return (
    <div className="session-buttons">
      {hasOthers && (
        <Button busy={end.isPending} disabled={!online} onClick={() => void endOthers()}>
          Log out all others
        </Button>
      )}
      <Button tone="danger" busy={end.isPending} disabled={!online} onClick={() => void endAll()}>
        Log out everywhere
      </Button>
    </div>
  )
}
