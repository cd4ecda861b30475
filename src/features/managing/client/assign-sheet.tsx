import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { ChoiceCards } from '#client/ui/forms/choices.tsx'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { type AssignedUser, type ManagedUser, type ManagerUsers, mostAssigned } from '../contract.ts'
import './managing.css'
import { assignUsers, managingQueries } from './queries.ts'
import { fullName, UserFinder } from './user-finder.tsx'

interface AssignSheetProps {
  /** The campaign manager; null while the sheet is closed. */
  manager: ManagedUser | null
  onClose: () => void
}

/** For admins: which users a campaign manager sees and may act for. */
export function AssignSheet({ manager, onClose }: AssignSheetProps) {
  const query = useQuery({ ...managingQueries.managerUsers(manager?.id ?? 0), enabled: manager !== null })
  return (
    <Sheet open={manager !== null} title={manager ? `Users of ${fullName(manager)}` : 'Users'} onClose={onClose}>
      {manager && (
        <QueryView
          query={query}
          loading={{ rows: 3, kind: 'row', label: 'Loading the assigned users' }}
          failedTitle="The assigned users could not be loaded"
        >
          {before => <AssignForm manager={manager} before={before} onDone={onClose} />}
        </QueryView>
      )}
    </Sheet>
  )
}

interface AssignFormProps {
  manager: ManagedUser
  before: ManagerUsers
  onDone: () => void
}

function AssignForm({ manager, before, onDone }: AssignFormProps) {
  const online = useOnline()
  const save = useMutation(assignUsers(useQueryClient()))
  const [seesAll, setSeesAll] = useState(before.seesAll)
  const [users, setUsers] = useState<readonly AssignedUser[]>(before.users)
  const name = fullName(manager)
  const isAssigned = (id: number) => users.some(one => one.id === id)
  const submit = async () => {
    const userIds = seesAll ? [] : users.map(one => one.id)
    await save.mutateAsync({ managerId: manager.id, body: { seesAll, userIds } })
    const message = seesAll ? `${name} sees all users.` : `${name} sees ${countOf(userIds.length)}.`
    toast({ title: 'Assignment saved', message, tone: 'success' })
    onDone()
  }
  return (
    <>
      <ChoiceCards
        legend={`Which users may ${name} manage?`}
        value={seesAll ? 'ALL' : 'ASSIGNED'}
        onChange={choice => setSeesAll(choice === 'ALL')}
        options={[
          { value: 'ALL', label: 'All users', hint: 'Also those who register later.' },
          { value: 'ASSIGNED', label: 'Assigned users only', hint: 'No other user is listed or found.' },
        ]}
      />
      {!seesAll && (
        <div className="assign-users">
          <h3>{users.length ? `Assigned: ${countOf(users.length)}` : 'No user is assigned yet'}</h3>
          <ul className="plain-list" aria-label="Assigned users">
            {users.map(user => (
              <li key={user.id}>
                <ListRow
                  title={fullName(user)}
                  detail={user.email}
                  end={
                    <Button
                      aria-label={`Remove ${fullName(user)}`}
                      onClick={() => setUsers(users.filter(one => one.id !== user.id))}
                    >
                      Remove
                    </Button>
                  }
                />
              </li>
            ))}
          </ul>
          <h3>Assign more users</h3>
          <UserFinder
            end={user => (
              <Button
                aria-label={isAssigned(user.id) ? `Assigned: ${fullName(user)}` : `Assign ${fullName(user)}`}
                disabled={isAssigned(user.id) || users.length >= mostAssigned}
                onClick={() => setUsers([...users, user])}
              >
                {isAssigned(user.id) ? 'Assigned' : 'Assign'}
              </Button>
            )}
          />
        </div>
      )}
      <div className="assign-end">
        <p className="list-row-detail">If {manager.firstName} is managing a user now, that ends when you save.</p>
        <Button
          tone="primary"
          block
          disabled={!online}
          busy={save.isPending}
          busyLabel="Saving…"
          onClick={() => void submit().catch(() => undefined)}
        >
          Save
        </Button>
        {!online && <output>You are offline. Users can be assigned when you are online again.</output>}
      </div>
    </>
  )
}

const countOf = (count: number): string => (count === 1 ? '1 user' : count === 0 ? 'no user' : `${count} users`)
