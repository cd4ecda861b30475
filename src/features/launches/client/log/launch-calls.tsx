import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useEvents } from '#client/api/events/use-events.ts'
import { KeyValue } from '#client/ui/lists/card.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState, OfflineState } from '#client/ui/states/state-views.tsx'
import type { LaunchCall, LaunchLogRow } from '../../contract.ts'
import { formatDuration } from '../launch-labels.ts'
import { callPageSize, launchQueries } from '../queries.ts'
import { callName, callStepLabel, outcomeTones, outcomeLabels, readableJson, formatSecond } from './call-labels.ts'

/** The calls of a launch to the marketplace in order, each with request and answer. */
export function LaunchCalls({ launch }: { launch: LaunchLogRow }) {
  const [page, setPage] = useState(0)
  const query = useQuery(launchQueries.calls(launch.id, page))
  const again = () => void query.refetch()
  useEvents('/events', event => event.event === 'launch' && again(), { poll: again, onReconnect: again })
  return (
    <QueryView
      query={query}
      loading={{ rows: 3, kind: 'line', label: 'Loading calls' }}
      offline={<OfflineState title="The calls need a connection" />}
      empty={({ page: { totalElements } }) =>
        totalElements === 0 && (
          <EmptyState title="No calls to show" hint="Either none was made yet, or they are older than 180 days." />
        )
      }
    >
      {data => (
        <>
          <ol className="plain-list">
            {data.content.map(call => (
              <li key={call.no}>
                <Call call={call} />
              </li>
            ))}
          </ol>
          {data.page.totalElements > callPageSize && (
            // Several launches may be open, and some have the same name.
            <Pager
              page={data.page}
              onPage={setPage}
              label={`Pages of calls, ${launch.campaignName}, launch ${launch.id}`}
            />
          )}
        </>
      )}
    </QueryView>
  )
}

function Call({ call }: { call: LaunchCall }) {
  const { name, meaning } = outcomeLabels[call.outcome]
  const facts = [
    { label: 'Call', value: call.operation },
    { label: 'Request', value: `${call.method} ${call.path}` },
    { label: 'Outcome', value: meaning },
    ...(call.status === null ? [] : [{ label: 'Status', value: String(call.status) }]),
    ...(call.message ? [{ label: 'What went wrong', value: call.message }] : []),
    ...(call.requestId ? [{ label: 'Request ID for marketplace support', value: call.requestId }] : []),
  ]
  return (
    <Fold
      className="call"
      summary={
        <>
          <span className="call-name">
            {call.no}. {callName(call)}
          </span>{' '}
          <span className={`tag ${outcomeTones[call.outcome]}`}>{name}</span>
          <small>
            {call.step && `${callStepLabel(call.step)} · `}
            {formatSecond(call.at)} · {formatDuration(call.tookMs)}
          </small>
        </>
      }
    >
      <KeyValue items={facts} />
      <Body title="Sent" text={call.sent} />
      <Body title="Received" text={call.received} />
    </Fold>
  )
}

function Body({ title, text }: { title: string; text: string | null }) {
  return text === null ? (
    <p className="call-body-title">{title}: nothing</p>
  ) : (
    <>
      <p className="call-body-title">{title}</p>
      <pre className="call-body">{readableJson(text)}</pre>
    </>
  )
}

interface FoldProps {
  summary: ReactNode
  children: ReactNode
  className?: string
}

/** Content that is rendered, and fetched, only when the user opens it. */
export function Fold({ summary, children, className = '' }: FoldProps) {
  const [open, setOpen] = useState(false)
  return (
    <details className={`log-fold ${className}`} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open && children}
    </details>
  )
}
