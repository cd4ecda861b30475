import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { KeyValue } from '#client/ui/lists/card.tsx'
import { Pager } from '#client/ui/lists/pager.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState, OfflineState } from '#client/ui/states/state-views.tsx'
import type { CallOutcome, LaunchCall, LaunchLogRow } from '../../contract.ts'
import { formatDuration, stepLabels } from '../launch-labels.ts'
import { launchQueries, useLaunchEvents } from '../queries.ts'
import { formatExactMoment } from '#client/ui/figures/format.ts'

export function LaunchCalls({ launch }: { launch: LaunchLogRow }) {
  const [page, setPage] = useState(0)
  const query = useQuery(launchQueries.calls(launch.id, page))
  useLaunchEvents(() => void query.refetch())
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
          {data.page.totalElements > data.page.size && (
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

const outcomes: Record<CallOutcome, { name: string; tone: string; meaning: string }> = {
  ANSWERED: {
    name: 'Answered',
    tone: '',
    meaning: 'The marketplace accepted the call; its answer lists the result of each item.',
  },
  REFUSED: { name: 'Rejected', tone: 'tag-danger', meaning: 'The marketplace rejected the call. Nothing changed.' },
  UNREACHED: {
    name: 'Not delivered',
    tone: 'tag-danger',
    meaning: 'The call did not reach the marketplace. Nothing changed.',
  },
  UNKNOWN: {
    name: 'No answer',
    tone: 'tag-accent',
    meaning: 'The change may have happened. The launch checks before it sends it again.',
  },
}

function Call({ call }: { call: LaunchCall }) {
  const { name, tone, meaning } = outcomes[call.outcome]
  const at = formatExactMoment(call.at)
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
          {call.no}. {callName(call)} <span className={`tag ${tone}`}>{name}</span>
          <small>
            {call.step && `${call.step === 'UNDO' ? 'Undoing the launch' : stepLabels[call.step]} · `}
            {at} · {formatDuration(call.tookMs)}
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
  return (
    <>
      <p className="call-body-title">{text === null ? `${title}: nothing` : title}</p>
      {text !== null && <pre className="call-body">{indented(text)}</pre>}
    </>
  )
}

// JSON with indents; other text as it is.
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const verbLabels: Record<string, string> = {
  create: 'Create',
  update: 'Change',
  list: 'Look up',
  archive: 'Archive',
  recommend: 'Get recommended',
}
const objectLabels: Record<string, string> = {
  campaigns: 'campaigns',
  adGroups: 'ad groups',
  productAds: 'product ads',
  keywords: 'keywords',
  targetingClauses: 'targets',
  negativeKeywords: 'negative keywords',
  bids: 'bids',
  categories: 'categories',
  products: 'products',
  'product themes': 'products',
}
/** What a call does, in a seller's words; the name of the operation when there is no label for it. */
function callName({ operation, step }: Pick<LaunchCall, 'operation' | 'step'>): string {
  if (operation === 'check eligibility') return 'Check whether the products can be advertised'
  const [verb = '', ...rest] = operation.split(' ')
  if (verb === 'update' && step === 'ENABLE') return 'Enable campaigns'
  if (verb === 'update' && step === 'AUTO_TARGETS') return 'Set bids for automatic targeting'
  const verbLabel = verbLabels[verb]
  const things = objectLabels[rest.join(' ')]
  return verbLabel && things ? `${verbLabel} ${things}` : operation
}

/** Content that is rendered, and fetched, only when the user opens it. */
export function Fold(props: { summary: ReactNode; children: ReactNode; className?: string }) {
  const { summary, children, className = '' } = props
  const [open, setOpen] = useState(false)
  return (
    <details className={`log-fold ${className}`} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open && children}
    </details>
  )
}
