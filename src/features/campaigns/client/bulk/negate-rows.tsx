import { useEffect, useRef } from 'react'
import { failureMessage } from '#client/api/api-error.ts'
import { formatNumber } from '#client/ui/figures/format.ts'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import type { TargetRow } from '../../contract.ts'
import { type ListQuery, useLoadedRows } from '../figures/figures-list.tsx'
import type { ListSelection } from '../list/selection.ts'
import { excludableOf } from '../negatives/negative-drafts.ts'
import { type Negatable, NegateSheet } from '../negatives/negate-sheet.tsx'
import { countOf } from '../negatives/previewed-negatives.tsx'

interface NegateRowsProps {
  noun: 'keyword' | 'target'
  query: ListQuery<TargetRow>
  selection: ListSelection
  onClose: () => void
}

/** Keeps ads away from what the chosen keywords or targets aim at; rows that are not loaded yet are loaded first. */
export function NegateRows({ noun, query, selection, onClose }: NegateRowsProps) {
  const rows = useLoadedRows(query)
  // What became of each row is shown before the selection goes, and this sheet with it.
  const isDone = useRef(false)
  const { isAll, total, has, clear } = selection
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const isMissing = isAll && hasNextPage
  useEffect(() => {
    if (isMissing && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [isMissing, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  const chosen = rows.filter(({ id }) => has(id))
  const negatable = chosen.flatMap(row => negatableOf(row) ?? [])
  const others = chosen.length - negatable.length
  if (isMissing || negatable.length === 0)
    return (
      <Sheet open title={`Negate ${countOf(total, noun)}`} onClose={onClose}>
        {isFetchNextPageError ? (
          <p className="field-error">{failureMessage(query.error)}</p>
        ) : isMissing ? (
          <>
            <ProgressBar label={`Loading the ${noun}s`} value={rows.length / total} />
            <p aria-live="polite">{`${formatNumber(rows.length)} of ${formatNumber(total)} loaded.`}</p>
          </>
        ) : (
          <p>{leftOutText(others)}</p>
        )}
      </Sheet>
    )
  return (
    <NegateSheet
      rows={negatable}
      noun={noun}
      leftOut={others > 0 ? leftOutText(others) : undefined}
      onClose={() => {
        onClose()
        if (isDone.current) clear()
      }}
      onDone={() => (isDone.current = true)}
    />
  )
}

const leftOutText = (count: number): string =>
  `${formatNumber(count)} cannot be negated: automatic groups, categories, and all of Sponsored Display.`

function negatableOf(row: TargetRow): Negatable | null {
  const { kind, adType, expression } = row
  if (adType === 'SPONSORED_DISPLAY') return null
  const place = { ...row, campaignName: row.campaignName ?? '', adGroupName: null }
  if (kind === 'KEYWORD') return place
  const excludable = excludableOf(expression)
  return excludable && { ...place, ...excludable }
}
