import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import type { ManagedUser } from '../contract.ts'
import { managingQueries } from './queries.ts'

interface UserFinderProps {
  /** What stands at the end of a found user who can be managed. */
  end: (user: ManagedUser) => ReactNode
}

/** A search over the users that the caller may see; nothing is listed before a text is entered. */
export function UserFinder({ end }: UserFinderProps) {
  const [text, setText] = useState('')
  const query = useQuery(managingQueries.search(text))
  return (
    <>
      <SearchField
        label="Search by name or email"
        value={text}
        onSearch={typed => setText(typed.trim().slice(0, 100))}
      />
      {text && (
        <QueryView
          query={query}
          loading={{ rows: 3, kind: 'row', label: 'Loading users' }}
          failedTitle="Failed to search users"
          staleTitle="Failed to search users"
          empty={users => users.length === 0 && <output>No user’s name or email contains “{text}”.</output>}
        >
          {users => (
            <ul className="plain-list" aria-label="Found users">
              {users.map(user => (
                <li key={user.id}>
                  <ListRow
                    title={fullName(user)}
                    detail={user.email}
                    end={user.canBeManaged ? end(user) : <span className="list-row-detail">Cannot be managed</span>}
                  />
                </li>
              ))}
            </ul>
          )}
        </QueryView>
      )}
    </>
  )
}

export const fullName = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`.trim()
