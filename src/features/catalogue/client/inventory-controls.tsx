import { closeOutline, cloudUploadOutline } from 'ionicons/icons'
import { lazy, Suspense, useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { useToday } from '#client/api/server-clock.ts'
import { DataAge } from '#client/ui/figures/data-age.tsx'
import { formatDay } from '#client/ui/figures/format.ts'
import type { Filters } from '#client/ui/filters/filters.ts'
import { sortFilters } from '#client/ui/filters/sort-filters.tsx'
import { PickedInput } from '#client/ui/forms/fields.tsx'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { useMayChange, useShop } from '#features/accounts/client/public.ts'
import { timezoneOfMarketplace } from '#shared/marketplace-timezones.ts'
import { dayIn } from '#shared/time.ts'
import type { InventoryPage as Answer } from '../contract.ts'
import { type InventorySort, inventorySorts } from '../inventory-sorts.ts'
import type { InventorySearch } from './inventory-search.ts'

/** When the stock on the screen was imported, or that none of that day is stored. */
export function Age({ data, savedAt, day }: { data: Answer | undefined; savedAt: number; day: string | undefined }) {
  const online = useOnline()
  if (!data) return <span />
  return (
    <span>
      {day !== undefined && data.firstDay && day < data.firstDay ? (
        <span className="data-age">
          No stock of {formatDay(day)} is known: it has been stored since {formatDay(data.firstDay)}
        </span>
      ) : data.asOf ? (
        <DataAge at={data.asOf} prefix={day === undefined ? 'Stock updated' : `Stock of ${formatDay(day)}, imported`} />
      ) : (
        <span className="data-age">Stock has not been imported yet</span>
      )}
      {!online && (
        <>
          {' '}
          <DataAge at={savedAt} prefix="· saved on this device" />
        </>
      )}
    </span>
  )
}

const ImportSheet = lazy(() => import('./import-sheet.tsx').then(m => ({ default: m.ImportSheet })))

/** Opens the import of costs from a file; not for viewers, and not without network. */
export function ImportButton() {
  const shop = useShop()
  const mayChange = useMayChange()
  const online = useOnline()
  const [open, setOpen] = useState(false)
  if (!mayChange) return null
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label="Import costs"
        title={online ? undefined : 'Importing needs a network connection'}
        disabled={!online}
        onClick={() => setOpen(true)}
      >
        <Icon icon={cloudUploadOutline} />
      </button>
      {open && (
        <Suspense>
          <ImportSheet shop={shop} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

export interface ChoiceProps {
  search: InventorySearch
  onChange: (search: Partial<InventorySearch>) => void
}

/** Stock of now, or of a day. */
export function DayChoice({ search, onChange }: ChoiceProps) {
  const { marketplaceId } = useShop()
  const today = useToday(at => dayIn(at, timezoneOfMarketplace(marketplaceId)))
  const [choosing, setChoosing] = useState(false)
  if (search.day === undefined && !choosing)
    return (
      <button type="button" className="chip" onClick={() => setChoosing(true)}>
        Stock now
      </button>
    )
  return (
    <span className="stock-day">
      <PickedInput
        type="date"
        className="chip"
        aria-label="Stock as it was on"
        max={today}
        value={search.day ?? today}
        onChange={day => onChange({ day: day && day < today ? day : undefined })}
      />
      <button
        type="button"
        className="icon-button"
        aria-label="Show the stock of now"
        onClick={() => {
          setChoosing(false)
          onChange({ day: undefined })
        }}
      >
        <Icon icon={closeOutline} />
      </button>
    </span>
  )
}

const sortNames: Record<InventorySort, string> = {
  title: 'Name',
  price: 'Price',
  available: 'Available',
  cover: 'Days of cover',
  cogs: 'COGS',
  rank: 'Best seller rank',
}
const sorts = inventorySorts.map(value => ({ value, label: sortNames[value] }))
const usual = { sortBy: 'title', sortDir: 'asc' } as const

/** The order of the cards of a phone; a table has its headings for it. */
export const sortOf = ({ search, onChange }: ChoiceProps): Filters =>
  sortFilters(
    {
      columns: sorts,
      sortBy: search.sortBy ?? usual.sortBy,
      sortDir: search.sortDir ?? usual.sortDir,
      onChange: next => onChange({ ...next, page: undefined }),
    },
    usual,
  )
