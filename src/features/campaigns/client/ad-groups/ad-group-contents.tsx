import { useInfiniteQuery } from '@tanstack/react-query'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { AdGroupRow, AdRow, TargetRow } from '../../contract.ts'
import { FiguresList } from '../figures/figures-list.tsx'
import { campaignQueries } from '../queries.ts'
import { NegativeRowItem, RowStatus } from '../list/row-status.tsx'
import type { ListSearch } from '../list/list-search.ts'
import { adSorts, columnOf, negativeSorts, targetSorts } from '../list/use-list-page.ts'
import { ListRow } from '#client/ui/lists/list-row.tsx'
import { RowFigures } from '../figures/row-figures.tsx'
import { ActionRow, useEditableRow } from '../edit/editable-row.tsx'
import { archiveOutline, cashOutline } from 'ionicons/icons'
import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { Money } from '#client/ui/figures/figure.tsx'
import type { RowAction } from '#client/ui/lists/row-menu.tsx'
import { EditSheet } from '../edit/edit-sheet.tsx'
import { matchWords, targetName } from '../form/field-labels.ts'

interface ContentsProps {
  adGroup: AdGroupRow
  search: ListSearch
  range: DateRange
  shop: Shop
}

/** What is in an ad group, one kind at a time. */
export function AdGroupContents({
  tab,
  ...props
}: ContentsProps & { tab: 'ads' | 'keywords' | 'targets' | 'negatives' }) {
  return {
    ads: <Ads {...props} />,
    keywords: <Keywords {...props} />,
    targets: <Targets {...props} />,
    negatives: <Negatives {...props} />,
  }[tab]
}

function narrowed({ adGroup, search, range }: ContentsProps) {
  return {
    adGroupId: adGroup.id,
    dateFrom: range.from,
    dateTo: range.to,
    sortDir: search.sortDir ?? 'desc',
    ...(search.state && { state: search.state }),
  }
}
const none = (what: string) => (
  <EmptyState title={`No ${what} here`} hint="This ad group has none, or none match the filters." />
)

function Keywords(props: ContentsProps) {
  const { search, shop, adGroup } = props
  const query = useInfiniteQuery(
    campaignQueries.keywords(shop, {
      ...narrowed(props),
      sortBy: columnOf(targetSorts, search.sortBy, 'cost'),
      ...(search.name && { keywordText: search.name }),
    }),
  )
  return (
    <FiguresList query={query} what="keywords" empty={none('keywords')}>
      {row => <TargetRowItem row={row} defaultBid={adGroup.defaultBid} shop={shop} />}
    </FiguresList>
  )
}

function Targets(props: ContentsProps) {
  const { search, shop, adGroup } = props
  const query = useInfiniteQuery(
    campaignQueries.targets(shop, {
      ...narrowed(props),
      sortBy: columnOf(targetSorts, search.sortBy, 'cost'),
      ...(search.name && { name: search.name }),
    }),
  )
  return (
    <FiguresList query={query} what="targets" empty={none('targets')}>
      {row => <TargetRowItem row={row} defaultBid={adGroup.defaultBid} shop={shop} />}
    </FiguresList>
  )
}

function Ads(props: ContentsProps) {
  const { search, shop } = props
  const query = useInfiniteQuery(
    campaignQueries.ads(shop, {
      ...narrowed(props),
      sortBy: columnOf(adSorts, search.sortBy, 'cost'),
      ...(search.name && { name: search.name }),
    }),
  )
  return (
    <FiguresList query={query} what="ads" empty={none('ads')}>
      {row => <AdRowItem row={row} />}
    </FiguresList>
  )
}

function Negatives({ adGroup, search, shop }: ContentsProps) {
  const query = useInfiniteQuery(
    campaignQueries.negatives(shop, {
      adGroupId: adGroup.id,
      sortBy: columnOf(negativeSorts, search.sortBy, 'text'),
      sortDir: search.sortDir ?? 'asc',
      ...(search.name && { name: search.name }),
      ...(search.state && { state: search.state }),
    }),
  )
  return (
    <FiguresList query={query} what="negatives" empty={none('negatives')}>
      {row => <NegativeRowItem row={row} />}
    </FiguresList>
  )
}

/** The ad of a product: paused or enabled by a swipe or behind a button. */
function AdRowItem({ row: stored }: { row: AdRow }) {
  const { row, name, note, next, switchAction } = useEditableRow('ad', stored, ad => ({
    name: ad.asin ?? ad.sku ?? ad.amazonId,
    href: `/adgroup-details?adGroupId=${ad.adGroupId}&tab=ads`,
  }))
  return (
    <ActionRow name={name} actions={next ? [switchAction] : []}>
      <ListRow
        title={name}
        detail={
          <div className="row-status">
            <RowStatus {...row} />
            {row.asin && row.sku && <span>{row.sku}</span>}
          </div>
        }
        figures={<RowFigures figures={row} currency={row.currency} />}
      />
      {note}
    </ActionRow>
  )
}

interface TargetRowProps {
  row: TargetRow
  /** Holds where the row has no bid of its own. */
  defaultBid: number | null
  shop: Shop
}

/** A keyword or target: its bid changed, paused, enabled, or archived, by a swipe or behind a button. */
function TargetRowItem({ row: stored, defaultBid, shop }: TargetRowProps) {
  const online = useOnline()
  const [bidding, setBidding] = useState(false)
  const kind = stored.kind === 'KEYWORD' ? 'keyword' : 'target'
  const { row, name, href, note, next, switchAction, archive } = useEditableRow(kind, stored, target => ({
    name: targetName(target),
    href: `/adgroup-details?adGroupId=${target.adGroupId}`,
  }))
  const actions: RowAction[] = next
    ? [switchAction, { label: 'Change bid', icon: cashOutline, onSelect: () => setBidding(true) }]
    : []
  // The marketplace keeps the automatic groups; and what is for good is not left waiting.
  if (next && online && row.kind !== 'AUTO')
    actions.push({ label: 'Archive', icon: archiveOutline, tone: 'danger', onSelect: () => void archive() })
  return (
    <>
      <ActionRow name={name} actions={actions}>
        <ListRow
          title={name}
          detail={
            <div className="row-status">
              <RowStatus {...row} />
              {row.kind === 'KEYWORD' && <span>{matchWords(row.matchType)}</span>}
              <span>
                {row.bid === null ? 'Default bid ' : 'Bid '}
                <Money amount={row.bid ?? defaultBid} currency={row.currency} />
              </span>
            </div>
          }
          figures={<RowFigures figures={row} currency={row.currency} />}
        />
        {note}
      </ActionRow>
      {bidding && (
        <EditSheet
          kind={kind}
          row={row}
          {...(row.bid === null && { inherited: { bid: defaultBid } })}
          name={name}
          names={['bid']}
          title={`Bid for ${name}`}
          submitLabel="Save bid"
          savedTitle="Bid saved"
          shop={shop}
          href={href}
          onClose={() => setBidding(false)}
        />
      )}
    </>
  )
}
