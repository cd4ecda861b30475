import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useOnline } from '#client/api/online.ts'
import { formatMoney, formatNumber } from '#client/ui/figures/format.ts'
import type { TableColumn } from '#client/ui/lists/data-table.tsx'
import { confirm } from '#client/ui/overlays/dialogs.ts'
import { Button } from '#client/ui/states/button.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import { type Shop, useMayChange } from '#features/accounts/client/public.ts'
import { draftOf, negativeKind, useNegatives } from '#features/campaigns/client/public.ts'
import { targetText } from '#shared/target-text.ts'
import type { NegativeImpact as Impact } from '../../keyword-contract.ts'
import { insightQueries, type KeywordFilter } from '../queries.ts'
import { KeywordCard, KeywordList, type Sort } from './keyword-list.tsx'
import { addedText, methodText, savedText } from './keyword-words.ts'

interface NegativeImpactProps {
  shop: Shop
  filter: KeywordFilter<'negativeImpact'>
  sort: Sort
  currency: string
}

// The ASIN alone: that it is a product is said beside it.
const nameOf = (row: Impact): string => draftOf(row)?.text ?? targetText(row)
const placeOf = (row: Impact): string =>
  [negativeKind(row), row.campaignName, row.adGroupName ?? 'whole campaign'].join(' · ')

/** What each negative saved or redirected, with its method, and the way to undo it. */
export function NegativeImpact({ shop, filter, sort, currency }: NegativeImpactProps) {
  const query = useInfiniteQuery(insightQueries.negativeImpact(shop, filter))
  const button = useUndo(currency, () => void query.refetch())
  const withoutDate = query.data?.pages[0]?.withoutDate ?? 0
  const columns: TableColumn<Impact>[] = [
    {
      name: 'text',
      label: 'Negative',
      width: 220,
      text: true,
      cell: row => (
        <>
          <strong>{nameOf(row)}</strong>
          <div className="data-table-detail">{placeOf(row)}</div>
        </>
      ),
    },
    {
      name: 'saved',
      label: 'Saved or redirected',
      width: 180,
      sortable: true,
      cell: row => (
        <span className="figure">
          {formatMoney(row.saved, currency)}
          <span className="data-table-detail">
            <br />
            {savedText(row, currency)}
          </span>
        </span>
      ),
    },
    {
      name: 'method',
      label: 'How',
      width: 270,
      text: true,
      cell: row => <span className="kw-verdict">{methodText(row, currency)}</span>,
    },
    { name: 'addedAt', label: 'Added', width: 130, text: true, sortable: true, cell: row => addedText(row) },
    { name: 'act', label: <span className="visually-hidden">Next step</span>, width: 120, text: true, cell: button },
  ]
  const further: TableColumn<Impact>[] = [
    {
      name: 'cost',
      label: 'Spend before',
      width: 120,
      sortable: true,
      cell: row => <span className="figure">{formatMoney(row.before.cost, currency)}</span>,
    },
    {
      name: 'orders',
      label: 'Orders before',
      width: 110,
      sortable: true,
      cell: row => <span className="figure">{formatNumber(row.before.orders)}</span>,
    },
  ]
  const more = query.data?.pages[0]?.content.length ? 'more ' : ''
  const dateless =
    withoutDate > 0 &&
    `${formatNumber(withoutDate)} ${more}${withoutDate === 1 ? 'negative was' : 'negatives were'} added too long ago: figures of the 30 days before ${withoutDate === 1 ? 'it' : 'them'} are missing, so there is nothing to compare with.`
  return (
    <>
      <KeywordList
        query={query}
        what="negatives"
        empty={
          <EmptyState
            title="No negative to judge yet"
            hint={dateless || 'Negate a search term that wastes money, and see here what it saves.'}
          />
        }
        columns={columns}
        further={further}
        sort={sort}
        nameOf={nameOf}
      >
        {row => (
          <KeywordCard
            title={nameOf(row)}
            detail={`${placeOf(row)} · ${addedText(row)}`}
            figures={[
              ['Saved or redirected', formatMoney(row.saved, currency)],
              ['Range', savedText(row, currency)],
            ]}
            note={methodText(row, currency)}
            act={button(row)}
          />
        )}
      </KeywordList>
      <p className="kw-method">
        The daily spend on the search terms that a negative blocks, in the 30 settled days before it, times the days
        since then and the change in the campaign’s traffic, minus the gross profit of the orders that no longer come.
        In 9 of 10 cases the true amount is in the range. It is “saved or redirected” because spend often moves to other
        search terms.
        {query.data && query.data.pages[0]?.content.length !== 0 && dateless && ` ${dateless}`}
      </p>
    </>
  )
}

function useUndo(currency: string, onDone: () => void): (row: Impact) => ReactNode {
  const mayChange = useMayChange()
  const online = useOnline()
  const { remove } = useNegatives()
  const undo = async (row: Impact): Promise<void> => {
    const { before } = row
    const isSure = await confirm({
      title: `Remove the negative “${nameOf(row)}”?`,
      message: `Your ads may be shown again for ${before.terms === 1 ? '1 search term' : `${formatNumber(before.terms)} search terms`} that cost ${formatMoney(before.cost, currency)} and brought ${before.orders === 1 ? '1 order' : `${formatNumber(before.orders)} orders`} in the 30 days before it. You can undo this for ten seconds.`,
      confirmText: 'Remove',
    })
    if (!isSure) return
    try {
      await remove(row.id, nameOf(row), draftOf(row))
      onDone()
    } catch {
      // Said by the mutation.
    }
  }
  return row =>
    mayChange && (
      <Button
        className="kw-act"
        aria-label={`Remove: ${nameOf(row)}`}
        disabled={!online}
        onClick={() => void undo(row)}
      >
        Remove
      </Button>
    )
}
