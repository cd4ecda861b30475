import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import type { TableColumn } from '#client/ui/lists/data-table.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { formatMoney } from '#client/ui/figures/format.ts'
import { type Shop, useMayChange } from '#features/accounts/client/public.ts'
import { type BulkAction, BulkSheet, matchWords } from '#features/campaigns/client/public.ts'
import { targetText } from '#shared/target-text.ts'
import type { KeywordRow, UnderperformingRow } from '../../keyword-contract.ts'
import { insightQueries, type KeywordFilter } from '../queries.ts'
import { figureColumn, figureText, KeywordCard, KeywordList, type Sort } from './keyword-list.tsx'
import { actText, confidenceText, testNames, verdictText } from './keyword-words.ts'

interface PartProps<F> {
  shop: Shop
  filter: F
  sort: Sort
}

const nameOf = (row: KeywordRow): string => targetText(row)
const placeOf = (row: KeywordRow): string =>
  [row.kind === 'KEYWORD' && matchWords(row.matchType), row.campaignName, row.adGroupName].filter(Boolean).join(' · ')

/** The act of a row and its sheet; nothing for those who may only look. */
function useActs() {
  const mayChange = useMayChange()
  const online = useOnline()
  const [chosen, setChosen] = useState<KeywordRow | null>(null)
  const button = (row: KeywordRow): ReactNode => {
    const label = actText(row)
    if (!mayChange || label === null || row.syncState === 'PENDING' || row.state !== 'ENABLED') return null
    return (
      <Button
        className="kw-act"
        aria-label={`${label}: ${nameOf(row)}`}
        disabled={!online}
        title={online ? undefined : 'This needs a network connection'}
        onClick={() => setChosen(row)}
      >
        {label}
      </Button>
    )
  }
  const sheet = chosen && (
    <Suspense>
      <BulkSheet
        scope={{ entity: chosen.kind === 'KEYWORD' ? 'keyword' : 'target', ids: [chosen.id], filter: {} }}
        action={actionOf(chosen)}
        what={chosen.kind === 'KEYWORD' ? 'keywords' : 'targets'}
        count={1}
        currency={chosen.currency}
        onStarted={() => undefined}
        onClose={() => setChosen(null)}
      />
    </Suspense>
  )
  return { button, sheet }
}

function actionOf({ act }: KeywordRow): BulkAction {
  if (act.kind === 'PAUSE') return { name: 'STATE', to: 'PAUSED' }
  return { name: 'AMOUNT', field: 'bid', ...(act.bid !== null && { to: act.bid }) }
}

const nameColumn: TableColumn<KeywordRow> = {
  name: 'name',
  label: 'Keyword or target',
  width: 240,
  text: true,
  cell: row => (
    <>
      <strong>{nameOf(row)}</strong>
      <div className="data-table-detail">{placeOf(row)}</div>
    </>
  ),
}
const bidColumn: TableColumn<KeywordRow> = {
  name: 'bid',
  label: 'Bid and max CPC',
  width: 116,
  cell: row => (
    <span className="figure">
      {row.effectiveBid === null ? '–' : formatMoney(row.effectiveBid, row.currency)}
      <span className="data-table-detail">
        <br />
        {row.maxCpc === null ? 'no target' : `max ${formatMoney(row.maxCpc, row.currency)}`}
      </span>
    </span>
  ),
}
const actColumn = (button: (row: KeywordRow) => ReactNode): TableColumn<KeywordRow> => ({
  name: 'act',
  label: <span className="visually-hidden">Next step</span>,
  width: 184,
  text: true,
  cell: button,
})

/** The keywords and targets that were clicked, best first. */
export function TopKeywords({ shop, filter, sort }: PartProps<KeywordFilter<'topKeywords'>>) {
  const query = useInfiniteQuery(insightQueries.topKeywords(shop, filter))
  const { button, sheet } = useActs()
  return (
    <>
      <KeywordList
        query={query}
        what="keywords"
        empty={
          <EmptyState
            title="No keyword was clicked"
            hint="Choose more days, or check that your campaigns are running."
          />
        }
        columns={[
          nameColumn,
          ...(['sales', 'orders', 'cost', 'acos'] as const).map(name => figureColumn<KeywordRow>(name)),
          bidColumn,
          actColumn(button),
        ]}
        further={(['clicks', 'cvr', 'cpc', 'impressions'] as const).map(name => figureColumn<KeywordRow>(name))}
        sort={sort}
        nameOf={nameOf}
      >
        {row => (
          <KeywordCard
            title={nameOf(row)}
            detail={placeOf(row)}
            figures={(['sales', 'cost', 'acos'] as const).map(name => [labels[name], figureText(row, name)])}
            act={button(row)}
          />
        )}
      </KeywordList>
      {sheet}
    </>
  )
}
const labels = {
  sales: 'Ad sales',
  cost: 'Ad spend',
  acos: 'ACOS',
  clicks: 'Clicks',
  impressions: 'Impressions',
} as const

/** The keywords that fail a test, each with the test and what follows from it. */
export function UnderperformingKeywords({ shop, filter, sort }: PartProps<KeywordFilter<'underperforming'>>) {
  const query = useInfiniteQuery(insightQueries.underperforming(shop, filter))
  const { button, sheet } = useActs()
  const isStarved = filter.test === 'STARVED'
  return (
    <>
      <KeywordList
        query={query}
        what="underperforming keywords"
        empty={
          query.data?.pages[0]?.days === null ? (
            <EmptyState title="No figures yet" hint="Keywords are judged once a month of figures has been imported." />
          ) : (
            <EmptyState
              title={isStarved ? 'No keyword has too few impressions' : 'No keyword underperforms'}
              hint="No keyword fails this test. Days that may still change are not counted."
            />
          )
        }
        columns={[
          nameColumn as TableColumn<UnderperformingRow>,
          {
            name: isStarved ? 'verdict' : 'confidence',
            label: 'Test and confidence',
            width: 300,
            text: true,
            sortable: !isStarved,
            cell: row => <VerdictNote row={row} />,
          },
          actColumn(button) as TableColumn<UnderperformingRow>,
          ...(isStarved ? (['impressions', 'clicks'] as const) : (['cost', 'clicks'] as const)).map(name =>
            figureColumn<UnderperformingRow>(name),
          ),
        ]}
        further={[
          ...(isStarved ? (['cost'] as const) : (['orders', 'sales', 'acos', 'cpc'] as const)).map(name =>
            figureColumn<UnderperformingRow>(name),
          ),
          bidColumn as TableColumn<UnderperformingRow>,
        ]}
        sort={sort}
        nameOf={nameOf}
      >
        {row => (
          <KeywordCard
            title={nameOf(row)}
            detail={placeOf(row)}
            figures={(isStarved
              ? (['impressions', 'clicks', 'cost'] as const)
              : (['cost', 'clicks', 'acos'] as const)
            ).map(name => [labels[name], figureText(row, name)])}
            note={<VerdictNote row={row} />}
            act={button(row)}
          />
        )}
      </KeywordList>
      {sheet}
    </>
  )
}

function VerdictNote({ row }: { row: UnderperformingRow }) {
  return (
    <span className="kw-verdict">
      <strong>{testNames[row.verdict.test]}</strong> <span>{confidenceText(row.verdict.confidence)}</span>
      <br />
      {verdictText(row)}
    </span>
  )
}
