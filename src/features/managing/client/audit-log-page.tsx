import './managing.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { shieldCheckmarkOutline } from 'ionicons/icons'
import { formatExactMoment } from '#client/ui/figures/format.ts'
import { CheckField } from '#client/ui/forms/choices.tsx'
import { Page } from '#client/ui/ionic/page.tsx'
import { Card } from '#client/ui/lists/card.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { AuditEntry } from '../contract.ts'
import { auditLogQueries } from './queries.ts'

const route = getRouteApi('/dashboard/settings/audit-log')
export const auditLogPath = '/settings/audit-log'

/** In the settings: the way to the log. */
export const AuditLogCard = () => (
  <Card title="Who acted for me">
    <p>
      A campaign manager of Tideline may act for you. Everything that a manager does is recorded, and nobody can change
      it.
    </p>
    <Link to={auditLogPath as string} className="button button-quiet">
      Show who acted for me
    </Link>
  </Card>
)

/** What campaign managers did for the user. */
export function AuditLogPage() {
  const { page = 0, views = false } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useQuery(auditLogQueries.page({ page, kind: views ? 'ALL' : 'CHANGES' }))
  return (
    <Page title="Who acted for me" back="/settings" onRefresh={() => query.refetch()}>
      <CheckField
        label="Show what was only looked at, too"
        checked={views}
        onChange={isOn => void navigate({ search: { views: isOn || undefined }, replace: true })}
      />
      <QueryView
        query={query}
        loading={{ rows: 6, kind: 'row', label: 'Loading who acted for you' }}
        failedTitle="Who acted for you could not be loaded"
        empty={({ content }) =>
          content.length === 0 && (
            <EmptyState
              icon={shieldCheckmarkOutline}
              title={views ? 'Nobody has acted for you' : 'Nobody has changed anything for you'}
              hint="When a campaign manager acts for you, you see here who did what, and when."
            />
          )
        }
      >
        {({ content, page: pages }) => (
          <>
            <ul className="plain-list" aria-label="What was done">
              {content.map(entry => (
                <Entry key={entry.number} entry={entry} />
              ))}
            </ul>
            {pages.totalPages > 1 && (
              <Pager
                page={pages}
                onPage={number => void navigate({ search: { views: views || undefined, page: number || undefined } })}
              />
            )}
          </>
        )}
      </QueryView>
    </Page>
  )
}

const outcomes: Record<AuditEntry['outcome'], { label: string; tone: string }> = {
  DONE: { label: 'Done', tone: 'tag-good' },
  REJECTED: { label: 'Rejected', tone: '' },
  FAILED: { label: 'Failed', tone: 'tag-danger' },
  UNKNOWN: { label: 'Outcome unknown', tone: 'tag-accent' },
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { at, managerName, managerEmail, summary, details, outcome, method, path } = entry
  const { label, tone } = outcomes[outcome]
  const values = Object.entries(details).map(([name, list]) => `${wordsOf(name)}: ${shortened(list)}`)
  return (
    <li className="audit-row">
      <strong>{summary}</strong>
      <p>
        {managerName} ({managerEmail}), {formatExactMoment(at)} <span className={`tag ${tone}`}>{label}</span>
      </p>
      <p className="audit-details">
        {values.length > 0 && `${values.join(' · ')} · `}
        {method} {path}
      </p>
    </li>
  )
}

/** `campaignId` as "campaign id". */
const wordsOf = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()

const maxListed = 10
const shortened = (list: readonly unknown[]): string =>
  list.length > maxListed
    ? `${list.slice(0, maxListed).join(', ')} and ${list.length - maxListed} more`
    : list.join(', ')
