import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { searchOutline } from 'ionicons/icons'
import { type ReactNode, useState } from 'react'
import * as v from 'valibot'
import { ContextBar } from '#client/ui/filters/context-bar.tsx'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { useUserAuthorities } from '#features/auth/client/public.ts'
import type { ManagedUser } from '../contract.ts'
import { managingQueries } from './queries.ts'
import { AssignSheet } from './assign-sheet.tsx'
import { startManaging } from './switch-user.ts'
import { fullName } from './user-finder.tsx'
import { type UserSearch, userSearch } from './user-search.ts'
import './managing.css'

const route = getRouteApi('/dashboard/admin-user-management')

const labels = {
  role: {
    OWNER: 'Owner',
    AGENCY: 'Agency',
    VIEWER: 'Viewer',
    CAMPAIGN_MANAGER: 'Campaign manager',
    ADMIN: 'Admin',
  },
  accountType: { SELLER: 'Seller', VENDOR: 'Vendor', AGENCY: 'Agency' },
  subscription: { NONE: 'None', TRIAL: 'Trial', ACTIVE: 'Active', LATE: 'Payment failed', ENDED: 'Ended' },
} as const
const filterLabels = { role: 'Role', accountType: 'Account type', subscription: 'Subscription' } as const
type FilterName = keyof typeof filterLabels

/** The users that a campaign manager may act for, and the way to do it. */
export function UserManagementPage() {
  const search = v.parse(userSearch, route.useSearch())
  const navigate = route.useNavigate()
  const { query = '', ...filter } = search
  const change = (next: Partial<UserSearch>): void =>
    void navigate({ search: (before: object) => ({ ...v.parse(userSearch, before), ...next }), replace: true })
  const fields = (Object.keys(filterLabels) as FilterName[]).map(name => ({
    name,
    label: filterLabels[name],
    value: filter[name],
    options: Object.entries(labels[name]).map(([value, label]) => ({ value, label })),
    onChange: (value: string | undefined) => change({ [name]: value }),
  }))
  const reset = () => change({ role: undefined, accountType: undefined, subscription: undefined })
  return (
    <Page
      title="User management"
      toolbar={
        <ContextBar
          // A search goes over all users.
          {...(query === '' && { filters: { fields, onReset: reset } })}
          search={
            <SearchField
              label="Search by name or email"
              value={query}
              onSearch={typed => change({ query: typed.trim().slice(0, 100) || undefined })}
            />
          }
        />
      }
    >
      {query === '' ? (
        <AllUsers filter={filter} onReset={reset} />
      ) : (
        <FoundUsers query={query} onReset={() => change({ query: undefined })} />
      )}
    </Page>
  )
}

const loading = { rows: 8, kind: 'row', label: 'Loading users' } as const

function AllUsers({ filter, onReset }: { filter: Omit<UserSearch, 'query'>; onReset: () => void }) {
  const query = useInfiniteQuery(managingQueries.users(filter))
  const isFiltered = Object.values(filter).some(value => value !== undefined)
  return (
    <QueryView
      query={query}
      loading={loading}
      failedTitle="Failed to fetch users"
      staleTitle="Failed to fetch users"
      empty={({ pages }) =>
        pages[0]?.length === 0 &&
        (isFiltered ? (
          <EmptyState title="No users fit these filters" action={<Button onClick={onReset}>Reset filters</Button>} />
        ) : (
          <EmptyState title="No users are assigned to you" hint="Ask an admin to assign users to you." />
        ))
      }
    >
      {({ pages }) => (
        <>
          <UserList users={pages.flat()} />
          {query.hasNextPage && (
            <Button busy={query.isFetchingNextPage} busyLabel="Loading…" onClick={() => void query.fetchNextPage()}>
              Show more users
            </Button>
          )}
        </>
      )}
    </QueryView>
  )
}

function FoundUsers({ query: text, onReset }: { query: string; onReset: () => void }) {
  const query = useQuery(managingQueries.search(text))
  return (
    <QueryView
      query={query}
      loading={loading}
      failedTitle="Failed to search users"
      staleTitle="Failed to search users"
      empty={users =>
        users.length === 0 && (
          <EmptyState
            icon={searchOutline}
            title={`No user’s name or email contains “${text}”`}
            action={<Button onClick={onReset}>Show all users</Button>}
          />
        )
      }
    >
      {users => <UserList users={users} />}
    </QueryView>
  )
}

function UserList({ users }: { users: readonly ManagedUser[] }) {
  const isAdmin = useUserAuthorities()?.includes('ADMIN')
  const [manager, setManager] = useState<ManagedUser | null>(null)
  const endOf = (user: ManagedUser) => {
    if (user.canBeManaged) return <ManageButton user={user} />
    // An admin sees everybody.
    if (isAdmin && isLimitable(user))
      return (
        <Button aria-label={`Assign users to ${fullName(user)}`} onClick={() => setManager(user)}>
          Assign users
        </Button>
      )
    return <span className="list-row-detail">Cannot be managed</span>
  }
  return (
    <>
      <ul className="plain-list user-list" aria-label="Users">
        {users.map(user => (
          <li key={user.id}>
            <UserRow user={user} end={endOf(user)} />
          </li>
        ))}
      </ul>
      {isAdmin && <AssignSheet manager={manager} onClose={() => setManager(null)} />}
    </>
  )
}

const isLimitable = ({ roles }: ManagedUser): boolean =>
  roles.some(({ name }) => name === 'CAMPAIGN_MANAGER') && !roles.some(({ name }) => name === 'ADMIN')

const tones = { NONE: '', TRIAL: 'tag-accent', ACTIVE: 'tag-good', LATE: 'tag-danger', ENDED: '' }

function UserRow({ user, end }: { user: ManagedUser; end: ReactNode }) {
  const { email, accountType, roles, subscriptionState, amazonProfiles } = user
  const accounts =
    amazonProfiles.length === 1 ? '1 advertising account' : `${amazonProfiles.length} advertising accounts`
  return (
    <ListRow
      title={fullName(user)}
      detail={
        <>
          <div>{email}</div>
          <div>
            {labels.accountType[accountType]} · {accounts}
          </div>
        </>
      }
      end={end}
      figures={
        <>
          {roles.map(({ id, name }) => (
            <Tag key={id}>{labels.role[name as keyof typeof labels.role] ?? name}</Tag>
          ))}
          <Tag tone={tones[subscriptionState]}>
            {subscriptionState === 'NONE'
              ? 'No subscription'
              : `Subscription: ${labels.subscription[subscriptionState].toLowerCase()}`}
          </Tag>
        </>
      }
    />
  )
}

const Tag = ({ tone = '', children }: { tone?: string; children: ReactNode }) => (
  <span className={`tag ${tone}`}>{children}</span>
)

function ManageButton({ user }: { user: ManagedUser }) {
  const router = useRouter()
  const [busy, setBusy] = useState(false)
  const start = () => {
    setBusy(true)
    void startManaging(user, router).finally(() => setBusy(false))
  }
  return (
    <Button busy={busy} busyLabel="Starting…" aria-label={`Manage ${fullName(user)}`} onClick={start}>
      Manage
    </Button>
  )
}
