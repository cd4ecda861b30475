import '../campaigns.css'
import './search-terms.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { closeOutline } from 'ionicons/icons'
import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { useSheetAddress } from '#client/ui/overlays/use-sheet-address.ts'
import { Button } from '#client/ui/states/button.tsx'
import { type Shop, useMayChange } from '#features/accounts/client/public.ts'
import type { Negatable } from '../negatives/negate-sheet.tsx'
import { FiguresList } from '../figures/figures-list.tsx'
import { type TermRow, termQueries, type TermsFilter } from './queries.ts'
import { type TermSheet, TermRowItem } from './term-row.tsx'
import { verdictWords } from './term-words.ts'
import { TermsTable } from './terms-table.tsx'
import { usePicked } from './use-picked.ts'

const HarvestSheet = lazy(() => import('./harvest-sheet.tsx').then(m => ({ default: m.HarvestSheet })))
const NegateSheet = lazy(() => import('../negatives/negate-sheet.tsx').then(m => ({ default: m.NegateSheet })))

// More the server does not harvest at once.
const maxPicked = 100

interface OpenSheet {
  sheet: TermSheet
  ids: readonly string[]
}

/** Which sheet the address opens, for which picked terms. */
function useTermSheet(): { opened: OpenSheet | null; open: (opened: OpenSheet) => void; close: () => void } {
  const { opened, open, close } = useSheetAddress('sheet', 'picked')
  const { sheet, picked } = opened
  const ids = Array.isArray(picked) ? picked.map(String) : []
  return {
    opened: sheet === 'harvest' || sheet === 'negate' ? { sheet, ids } : null,
    open: next => open({ sheet: next.sheet, picked: [...next.ids] }),
    close,
  }
}

interface TermsPanelProps {
  shop: Shop
  filter: TermsFilter
  /** Whether terms of more than one ad group are shown. */
  ofMany: boolean
  empty: ReactNode
  /** Draws a table, ordered by its headings. */
  table?: Pick<ComponentProps<typeof TermsTable>, 'sort'> | false
}

/** Search terms that are picked, harvested and negated. */
export function TermsPanel({ shop, filter, ofMany, empty, table = false }: TermsPanelProps) {
  const { opened, open: openSheet, close } = useTermSheet()
  const mayChange = useMayChange()
  const query = useInfiniteQuery(termQueries.terms(shop, filter))
  const rows = query.data?.pages.flatMap(page => page.content) ?? []
  const picked = usePicked<TermRow>(rows, maxPicked, opened?.ids)
  const open = (sheet: TermSheet, terms: readonly TermRow[]): void =>
    openSheet({ sheet, ids: terms.map(row => row.id) })
  const acts = mayChange ? { picked, open } : undefined
  // What was picked stays while the sheet shows what became of it, whatever the list shows meanwhile.
  const about = useHeld(opened, rows)
  return (
    <>
      <FiguresList
        query={query}
        what="search terms"
        empty={empty}
        renderTable={
          table &&
          ((all, page, onEnd) => (
            <TermsTable rows={all} page={page} ofMany={ofMany} acts={acts} sort={table.sort} onEnd={onEnd} />
          ))
        }
      >
        {row => <TermRowItem row={row} ofMany={ofMany} acts={acts} />}
      </FiguresList>
      {acts && picked.picked.length > 0 && (
        <PickedBar
          count={picked.picked.length}
          isFull={picked.isFull}
          onClear={picked.clear}
          onOpen={sheet => open(sheet, picked.picked)}
        />
      )}
      {acts && opened && about.length > 0 && (
        <Suspense>
          {opened.sheet === 'harvest' ? (
            <HarvestSheet rows={about.map(row => ({ ...row, source: row }))} onClose={close} onDone={picked.clear} />
          ) : (
            <NegateSheet rows={about.map(negatableOf)} noun="term" onClose={close} onDone={picked.clear} />
          )}
        </Suspense>
      )}
    </>
  )
}

function negatableOf(row: TermRow): Negatable {
  const isProduct = row.kind === 'PRODUCT'
  return {
    ...row,
    text: isProduct ? row.term.toUpperCase() : row.term,
    ...(isProduct && { targetType: 'ASIN_SAME_AS' }),
    verdict: verdictWords(row)?.text,
  }
}

/** The rows that a sheet was opened for, as they were then. */
function useHeld(opened: OpenSheet | null, rows: readonly TermRow[]): readonly TermRow[] {
  const [held, setHeld] = useState<{ for: string; rows: readonly TermRow[] }>({ for: '', rows: [] })
  const key = opened ? `${opened.sheet} ${opened.ids.join()}` : ''
  const found = opened ? rows.filter(row => opened.ids.includes(row.id)) : []
  if (key !== held.for || (held.rows.length === 0 && found.length > 0)) setHeld({ for: key, rows: found })
  return key === held.for ? held.rows : found
}

interface PickedBarProps {
  count: number
  isFull: boolean
  onClear: () => void
  onOpen: (sheet: TermSheet) => void
}

/** What can be done with the picked terms, in the thumb's reach. */
function PickedBar({ count, isFull, onClear, onOpen }: PickedBarProps) {
  return (
    <section className="picked-bar" aria-label="Selected search terms">
      <button type="button" className="icon-button" aria-label="Clear the selection" onClick={onClear}>
        <Icon icon={closeOutline} />
      </button>
      <p aria-live="polite">
        {count} selected{isFull && `, the most at once`}
      </p>
      <Button onClick={() => onOpen('negate')}>Negate</Button>
      <Button tone="primary" onClick={() => onOpen('harvest')}>
        Harvest
      </Button>
    </section>
  )
}
