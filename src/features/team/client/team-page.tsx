import './team.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useEvents } from '#client/api/events.ts'
import { useOnline } from '#client/api/online.ts'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { formatMomentDay } from '#client/ui/figures/format.ts'
import { Page } from '#client/ui/ionic/page.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { RowMenu } from '#client/ui/lists/row-menu.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { Invitation, Member, Team } from '../contract.ts'
import { InviteSheet } from './invite-sheet.tsx'
import { removeMember, resend, restore, revoke, teamQueries } from './queries.ts'

/** Who has access to which seller, and who is invited. */
export function TeamPage() {
  const query = useQuery(teamQueries.team())
  const [isInviting, setInviting] = useState(false)
  const online = useOnline()
  useEvents('/events', event => event.event === 'team' && void query.refetch())
  const sellers = query.data?.merchants ?? []
  return (
    <Page title="Team" status={<OfflineAge updatedAt={[query.dataUpdatedAt]} />} onRefresh={() => query.refetch()}>
      <QueryView
        query={query}
        loading={{ rows: 3, kind: 'card', label: 'Loading your team' }}
        failedTitle="Your team could not be loaded"
        empty={({ merchants }) =>
          merchants.length === 0 && (
            <EmptyState
              title="Connect a seller first"
              hint="Then you can invite people who view its figures and change nothing."
            />
          )
        }
      >
        {team => (
          <>
            <p className="sentences">
              People you invite see the figures of the sellers you choose, and change nothing.
            </p>
            <div className="button-row team-invite">
              <Button tone="primary" disabled={!online} onClick={() => setInviting(true)}>
                Invite a viewer
              </Button>
            </div>
            {!online && <p className="sentences">Inviting people needs a connection to the internet.</p>}
            <Invitations team={team} />
            <div className="team-cards">
              {team.merchants.map(merchant => (
                <Members key={merchant.id} merchant={merchant} />
              ))}
            </div>
          </>
        )}
      </QueryView>
      <InviteSheet open={isInviting} sellers={sellers} onClose={() => setInviting(false)} />
    </Page>
  )
}

function Invitations({ team: { invitations } }: { team: Team }) {
  if (invitations.length === 0) return null
  return (
    <Card title="Pending invitations">
      <ul className="team-rows">
        {invitations.map(invitation => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </Card>
  )
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const client = useQueryClient()
  const online = useOnline()
  const resending = useMutation(resend(client))
  const revoking = useMutation(revoke(client))
  const restoring = useMutation(restore(client))
  const { id, email, merchants, invitedBy, expiresAt, isExpired } = invitation
  const onResend = () =>
    resending.mutate(id, {
      onSuccess: () =>
        toast({ title: 'Invitation resent', message: `The new link is good for 7 days.`, tone: 'success' }),
    })
  const onRevoke = () =>
    revoking.mutate(id, {
      onSuccess: () =>
        toast({
          title: 'Invitation revoked',
          message: `The link sent to ${email} no longer works.`,
          action: { label: 'Undo', onSelect: () => restoring.mutate(id) },
          durationMs: 10_000,
        }),
    })
  const until = isExpired ? `Expired on ${formatMomentDay(expiresAt)}` : `Expires on ${formatMomentDay(expiresAt)}`
  return (
    <li>
      <div>
        <p>{email}</p>
        <p>
          <small>
            {merchants.map(({ name }) => name).join(', ')}. Invited by {invitedBy}. {until}.
          </small>
        </p>
      </div>
      <div className="team-end">
        {isExpired && <span className="tag tag-bad">Expired</span>}
        {online && (
          <RowMenu
            name={email}
            actions={[
              { label: 'Resend invitation', onSelect: onResend },
              { label: 'Revoke invitation', onSelect: onRevoke, tone: 'danger' },
            ]}
          />
        )}
      </div>
    </li>
  )
}

function Members({ merchant: { id, name, members } }: { merchant: Team['merchants'][number] }) {
  return (
    <Card title={name}>
      <ul className="team-rows">
        {members.map(member => (
          <MemberRow key={member.accountId} merchant={{ id, name }} member={member} />
        ))}
      </ul>
    </Card>
  )
}

function MemberRow({ merchant, member }: { merchant: { id: number; name: string }; member: Member }) {
  const removing = useMutation(removeMember(useQueryClient()))
  const online = useOnline()
  const { accountId, name, email, role, since, isSelf } = member
  const remove = async () => {
    const isSure = await confirm({
      title: `Remove ${name}?`,
      message: `${name} loses access to ${merchant.name} at once. You can invite ${email} again.`,
      confirmText: 'Remove access',
      tone: 'danger',
    })
    if (!isSure) return
    removing.mutate(
      { merchantId: merchant.id, accountId },
      { onSuccess: () => toast({ title: `${name} no longer has access to ${merchant.name}`, tone: 'success' }) },
    )
  }
  return (
    <li>
      <div>
        <p>{isSelf ? `${name} (you)` : name}</p>
        <p>
          <small>
            {email}. Since {formatMomentDay(since)}.
          </small>
        </p>
      </div>
      <div className="team-end">
        <span className="tag">{role === 'OWNER' ? 'Owner' : 'Viewer'}</span>
        {role === 'VIEWER' && online && (
          <RowMenu
            name={`${name} at ${merchant.name}`}
            actions={[{ label: 'Remove access', onSelect: () => void remove(), tone: 'danger' }]}
          />
        )}
      </div>
    </li>
  )
}
