import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { Segment } from '#client/ui/forms/segment.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import type { TermsFilter } from './queries.ts'
import { TermsPanel } from './terms-panel.tsx'

const page: string = '/search-terms'

const parts = [
  { value: 'ALL', label: 'All' },
  { value: 'SELLING', label: 'Selling' },
  { value: 'WASTE', label: 'Waste' },
] as const
type Part = (typeof parts)[number]['value']
const filterOf: Record<Part, Pick<TermsFilter, 'coverage' | 'orders'>> = {
  ALL: {},
  SELLING: { coverage: 'NEW', orders: 'WITH' },
  WASTE: { orders: 'WITHOUT' },
}
const emptyTitle: Record<Part, string> = {
  ALL: 'No search terms yet',
  SELLING: 'No new search term has sold yet',
  WASTE: 'Every search term has sold',
}

interface SearchTermListProps {
  shop: Shop
  range: DateRange
  adGroupId?: number
  campaignId?: number
}

/** The search terms of an ad group, a campaign or the whole account, those that cost most first. */
export function SearchTermList({ shop, range, adGroupId, campaignId }: SearchTermListProps) {
  const search: { terms?: unknown } = useSearch({ strict: false })
  const navigate = useNavigate()
  const part = parts.find(({ value }) => value === search.terms)?.value ?? 'ALL'
  const show = (next: Part): void =>
    void navigate({
      to: '.',
      search: ((previous: object) => ({ ...previous, terms: next === 'ALL' ? undefined : next })) as never,
      replace: true,
    })
  return (
    <>
      <div className="terms-views">
        <Segment label="Which search terms" value={part} options={parts} onChange={show} />
      </div>
      <TermsPanel
        shop={shop}
        filter={{ dateFrom: range.from, dateTo: range.to, adGroupId, campaignId, ...filterOf[part] }}
        ofMany={adGroupId === undefined}
        empty={<EmptyState title={emptyTitle[part]} hint="Terms appear a day after shoppers first click an ad." />}
      />
      <Link
        to={page}
        search={{ adGroupId, campaignId, from: range.from, to: range.to, ...filterOf[part] }}
        className="button button-quiet button-block"
      >
        See all filters and words
      </Link>
    </>
  )
}
