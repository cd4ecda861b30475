import './bulk.css'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { formatNumber } from '#client/ui/figures/format.ts'
import { ScrollList } from '#client/ui/lists/scroll-list.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { shopText, useShop } from '#features/accounts/client/public.ts'
import type { BulkChange, PreviewRow } from '../../bulk-contract.ts'
import { ChangedValue } from '../changes/changed-value.tsx'
import { type RowKind } from '../form/field-labels.ts'
import { targetText } from '#shared/target-text.ts'
import { AmountForm, amountOf, emptyAmount } from './amount-form.tsx'
import { amountFields, type BulkAction, entityOf, headingOf, titleOf } from './bulk-actions.ts'
import { bulkQueries, type BulkScope } from './bulk-queries.ts'
import { PortfolioField } from './portfolio-field.tsx'
import { sendBulk } from './send-bulk.ts'

interface BulkSheetProps {
  scope: BulkScope
  action: BulkAction
  what: string
  /** How many rows are chosen. */
  count: number
  currency: string
  /** Called once the change is on its way. */
  onStarted: () => void
  onClose: () => void
}

/** What is done to the chosen rows, each row before and after, and the button that does it. */
export function BulkSheet(props: BulkSheetProps) {
  const { scope, action, what, count, currency, onClose } = props
  const { change, form } = useBulkChange(scope.entity, action, currency)
  const title = headingOf(action, { count, what, entity: scope.entity })
  // A change that is still being typed waits until the hands rest.
  const settled = useSettled(change)
  if (settled) return <Plan {...props} title={title} form={form} change={settled} isTyping={!isSame(settled, change)} />
  return (
    <Sheet
      open
      title={title}
      onClose={onClose}
      footer={
        <Button tone="primary" disabled block>
          {title}
        </Button>
      }
    >
      {form}
      <p className="bulk-hint">You will see every row before and after. Nothing changes until you confirm.</p>
    </Sheet>
  )
}

/** The change that an action stands for, null while its form is incomplete; and the form, where it has one. */
function useBulkChange(
  entity: RowKind,
  action: BulkAction,
  currency: string,
): { change: BulkChange | null; form: ReactNode } {
  const [draft, setDraft] = useState<typeof emptyAmount>(
    action.name === 'AMOUNT' && action.to !== undefined ? { ...emptyAmount, how: 'TO', value: action.to } : emptyAmount,
  )
  const [portfolio, setPortfolio] = useState('')
  if (action.name === 'STATE') return { change: { kind: 'STATE', to: action.to }, form: null }
  if (action.name === 'PORTFOLIO')
    return {
      change: { kind: 'PORTFOLIO', to: portfolio || null },
      form: <PortfolioField label="Portfolio" name="portfolio" value={portfolio} onChange={setPortfolio} />,
    }
  const amount = amountOf(draft)
  const noun = amountFields[entity]?.noun ?? 'amount'
  return {
    change: 'problem' in amount ? null : { kind: 'AMOUNT', field: action.field, amount },
    form: <AmountForm noun={noun} draft={draft} currency={currency} onChange={setDraft} />,
  }
}

const isSame = (a: BulkChange | null, b: BulkChange | null): boolean => JSON.stringify(a) === JSON.stringify(b)

const restMs = 400

/** The last change that stood for a moment; null while there is none. */
function useSettled(change: BulkChange | null): BulkChange | null {
  const text = JSON.stringify(change)
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return useMemo(() => JSON.parse(text === 'null' ? text : settled) as BulkChange | null, [text, settled])
}

interface PlanProps extends BulkSheetProps {
  title: string
  form: ReactNode
  change: BulkChange
  isTyping: boolean
}

const isChanging = ({ before, after, problem }: PreviewRow): boolean => problem === null && before !== after
// What cannot be changed comes first, because it wants to be read.
const rank = (row: PreviewRow): number => (row.problem !== null ? 0 : isChanging(row) ? 1 : 2)

function usePlan(scope: BulkScope, change: BulkChange) {
  const shop = useShop()
  const query = useInfiniteQuery(bulkQueries.preview(shop, scope, change))
  const { hasNextPage, isFetching, isError, fetchNextPage, data } = query
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  const rows = useMemo(
    () => (data?.pages.flatMap(page => page.content) ?? []).toSorted((a, b) => rank(a) - rank(b)),
    [data],
  )
  const isWhole = data !== undefined && !hasNextPage && !isFetching && !isError
  return { query, rows, field: data?.pages[0]?.field ?? '', isWhole, shop }
}

function Plan({ scope, what, title, form, change, isTyping, onStarted, onClose }: PlanProps) {
  const client = useQueryClient()
  const { query, rows, field, isWhole, shop } = usePlan(scope, change)
  const changing = rows.filter(isChanging)
  const blocked = rows.filter(({ problem }) => problem !== null).length
  const same = rows.length - changing.length - blocked
  const verb = titleOf(change, { count: changing.length, what, entity: scope.entity })
  const start = async (): Promise<void> => {
    if (change.kind === 'STATE' && change.to === 'ARCHIVED' && !(await confirmArchive(verb))) return
    const entity = entityOf(scope.entity)
    const items = changing.map(({ id, version, name, after }) => ({
      entity,
      id,
      version,
      name,
      set: { [field]: after },
    }))
    void sendBulk(client, { items, title: verb, what, shop: shopText(shop) })
    onStarted()
    onClose()
  }
  const isReady = isWhole && !isTyping && changing.length > 0
  return (
    <Sheet
      open
      title={title}
      onClose={onClose}
      footer={
        <Button
          tone={change.kind === 'STATE' && change.to === 'ARCHIVED' ? 'danger' : 'primary'}
          block
          disabled={!isReady}
          onClick={() => void start()}
        >
          {!isWhole ? 'Checking every row…' : changing.length ? verb : 'Nothing to change'}
        </Button>
      }
    >
      {form}
      <QueryView query={query} loading={{ rows: 6, label: 'Checking every row' }}>
        {() => (
          <>
            <p className="bulk-summary" aria-live="polite">
              {summary({ changing: changing.length, blocked, same })}
            </p>
            <ScrollList count={rows.length} itemKey={i => rows[i]?.id ?? i} label="Rows before and after" estimate={60}>
              {i => rows[i] && <PlannedRow row={rows[i]} field={field} kind={scope.entity} />}
            </ScrollList>
          </>
        )}
      </QueryView>
    </Sheet>
  )
}

const confirmArchive = (verb: string): Promise<boolean> =>
  confirm({
    title: `${verb}?`,
    message:
      'Archiving is permanent at the marketplace and cannot be undone. To stop them for a while, pause them instead.',
    confirmText: 'Archive for good',
    tone: 'danger',
    isHeld: true,
  })

function summary({ changing, blocked, same }: { changing: number; blocked: number; same: number }): string {
  const parts = [
    `${formatNumber(changing)} will change`,
    ...(blocked ? [`${formatNumber(blocked)} cannot be changed`] : []),
    ...(same ? [`${formatNumber(same)} stay as they are`] : []),
  ]
  return `${parts.join(', ')}.`
}

function PlannedRow({ row, field, kind }: { row: PreviewRow; field: string; kind: RowKind }) {
  const { name, before, after, problem, currency } = row
  const label = kind === 'target' ? targetText({ kind: 'AUTO', text: name }) : name
  return (
    <div className="bulk-row">
      <span className="bulk-row-name">{label}</span>
      {problem === null ? (
        isChanging(row) ? (
          <ChangedValue entity={entityOf(kind)} field={field} before={before} after={after} currency={currency} />
        ) : (
          <span className="bulk-row-same">Stays as it is</span>
        )
      ) : (
        <span className="bulk-row-problem">{problem}</span>
      )}
    </div>
  )
}
