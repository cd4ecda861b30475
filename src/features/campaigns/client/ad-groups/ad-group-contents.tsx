import { useInfiniteQuery } from '@tanstack/react-query'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { AdGroupRow } from '../../contract.ts'
import { AdRowItem } from '../edit/ad-row.tsx'
import { FiguresList } from '../figures/figures-list.tsx'
import { campaignQueries } from '../queries.ts'
import { NegativeRowItem } from '../list/row-status.tsx'
import type { ListSearch } from '../list/list-search.ts'
import { adSorts, columnOf, negativeSorts, targetSorts } from '../list/use-list-page.ts'
import { TargetRowItem } from './target-row.tsx'

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
  <EmptyState title={`No ${what} here`} hint="None is in this ad group, or none matches." />
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
