import { Suspense } from 'react'
import { lazyWhenIdle } from '#client/early/when-idle.ts'
import type { DateRange } from '#client/ui/forms/date-range.ts'
import { type Shop, shopText } from '#features/accounts/client/public.ts'
import { homeEndpoints } from '../contract.ts'
import type { Granularity } from '../days.ts'

const ExportButton = lazyWhenIdle(() => import('#client/ui/lists/export-button.tsx').then(m => m.ExportButton))

interface ExportFileProps {
  file: 'cards' | 'breakdown' | 'performance'
  /** What its rows are, in the plural. */
  what: string
  count: number
  shop: Shop
  range: DateRange
  granularity?: Granularity
}

/** Saves a part of Home as a file. */
export function ExportFile({ file, what, count, shop, range, granularity }: ExportFileProps) {
  const endpoint = homeEndpoints[`${file}File`]
  const filter = { dateFrom: range.from, dateTo: range.to, ...(granularity && { granularity }) }
  return (
    // Its room, so that the text beside it does not break again.
    <Suspense fallback={<span className="icon-button" />}>
      <ExportButton endpoint={endpoint} what={what} filter={filter} count={count} shop={shopText(shop)} />
    </Suspense>
  )
}
