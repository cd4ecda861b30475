import type { ReactNode } from 'react'
import type { Filters } from '#client/ui/filters/filters.ts'
import { SortFields } from '#client/ui/filters/sort-filters.tsx'
import { SelectField } from '#client/ui/forms/fields.tsx'
import { Segment } from '#client/ui/forms/segment.tsx'
import { searchTermEndpoints, searchTermSorts } from '#features/search-terms/contract.ts'
import { metrics } from '#shared/metrics.ts'
import {
  impactSorts,
  keywordEndpoints as endpoints,
  keywordSorts,
  underperformingSorts,
} from '../../keyword-contract.ts'
import { type KeywordSearch, keywordParts } from './keyword-search.ts'
import { testNames } from './keyword-words.ts'

export type Part = (typeof keywordParts)[number]

const partNames: Record<Part, string> = {
  terms: 'Top terms',
  keywords: 'Top keywords',
  underperforming: 'Underperforming',
  negatives: 'Negative impact',
}

/** Each part with what it can be ordered by, the usual order first, and its file. */
export const parts = {
  terms: { sorts: searchTermSorts, usual: 'sales', file: searchTermEndpoints.file, what: 'search terms' },
  keywords: { sorts: keywordSorts, usual: 'sales', file: endpoints.exportKeywords, what: 'keywords' },
  underperforming: {
    sorts: underperformingSorts,
    usual: 'cost',
    file: endpoints.exportUnderperforming,
    what: 'underperforming keywords',
  },
  negatives: { sorts: impactSorts, usual: 'saved', file: endpoints.exportImpact, what: 'negatives' },
} as const

const sortNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(keywordSorts.map(name => [name, metrics[name].label])),
  term: 'Search term',
  confidence: 'Confidence',
  saved: 'Saved or redirected',
  savedLow: 'Saved at least',
  savedHigh: 'Saved at most',
  addedAt: 'Date added',
  daysActive: 'Days active',
}

/** The order that the address names, where the part has it; starved keywords begin with the least. */
export function orderOf({ part = 'terms', test, ...search }: KeywordSearch): {
  sortBy: string
  sortDir: 'asc' | 'desc'
} {
  const isStarved = part === 'underperforming' && test === 'STARVED'
  const usual = isStarved ? 'impressions' : parts[part].usual
  const sortBy = (parts[part].sorts as readonly string[]).find(name => name === search.sortBy) ?? usual
  return { sortBy, sortDir: search.sortDir ?? (isStarved && sortBy === usual ? 'asc' : 'desc') }
}

type Change = (next: Partial<KeywordSearch>) => void
type Test = NonNullable<KeywordSearch['test']>

const unordered = { sortBy: undefined, sortDir: undefined }
// Starved keywords are a list of their own, because their cure is the opposite.
const tests = [
  { value: 'ALL', label: 'No sale or too expensive' },
  { value: 'NO_SALE', label: testNames.NO_SALE },
  { value: 'TOO_DEAR', label: testNames.TOO_DEAR },
  { value: 'STARVED', label: testNames.STARVED },
] as const
const testOf = (value: string): Test | undefined =>
  tests.map(test => test.value).find((test): test is Test => test === value && test !== 'ALL')

const partOf = (value: string): Partial<KeywordSearch> => ({
  part: keywordParts.find(name => name === value && name !== 'terms'),
  test: undefined,
  ...unordered,
})

/** The parts in a line, with the tests of the underperforming below. */
export function PartSegments({ search, change }: { search: KeywordSearch; change: Change }) {
  const { part = 'terms', test } = search
  return (
    <>
      <div className="kw-tests">
        <Segment
          label="Part"
          value={part}
          options={keywordParts.map(name => ({ value: name, label: partNames[name] }))}
          onChange={next => change(partOf(next))}
        />
      </div>
      {part === 'underperforming' && (
        <div className="kw-tests">
          <Segment
            label="Test"
            value={test ?? 'ALL'}
            options={tests}
            onChange={next => change({ test: testOf(next), ...unordered })}
          />
        </div>
      )}
    </>
  )
}

/** The part of a phone, with the age of its figures in the same line, so that the first row is in sight. */
export function PartChoice({
  search: { part = 'terms' },
  change,
  age,
}: {
  search: KeywordSearch
  change: Change
  age: ReactNode
}) {
  return (
    <div className="kw-line">
      <select
        className="chip chip-drop"
        aria-label="Part"
        value={part}
        onChange={event => change(partOf(event.target.value))}
      >
        {keywordParts.map(name => (
          <option key={name} value={name}>
            {partNames[name]}
          </option>
        ))}
      </select>
      <p>{age}</p>
    </div>
  )
}

/** Test and order of a phone, which has no headings for it. */
export function filtersOf(
  search: KeywordSearch,
  change: Change,
  { sortBy, sortDir }: ReturnType<typeof orderOf>,
): Filters {
  const { part = 'terms', test } = search
  const isTested = part === 'underperforming'
  return {
    ...(!isTested && { title: 'Sort' }),
    fields: [],
    further: test === undefined ? 0 : 1,
    changed: search.sortBy !== undefined || search.sortDir !== undefined,
    onReset: () => change({ test: undefined, ...unordered }),
    children: (
      <>
        {isTested && (
          <SelectField
            label="Test"
            name="test"
            value={test ?? 'ALL'}
            options={tests}
            onChange={next => change({ test: testOf(next), ...unordered })}
          />
        )}
        <SortFields
          columns={parts[part].sorts.map(name => ({ value: name as string, label: sortNames[name] ?? name }))}
          sortBy={sortBy}
          sortDir={sortDir}
          onChange={next => change({ sortBy, sortDir: 'desc', ...next })}
        />
      </>
    ),
  }
}
