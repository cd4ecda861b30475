import { useState } from 'react'

/** Which rows of a list are picked, by their ids, up to `max`; rows that left the list are not. */
export function usePicked<Row extends { id: string | number }>(
  rows: readonly Row[],
  max: number,
  initial: readonly Row['id'][] = [],
) {
  const [ids, setIds] = useState<ReadonlySet<Row['id']>>(() => new Set(initial))
  const picked = rows.filter(row => ids.has(row.id))
  return {
    picked,
    isFull: picked.length >= max,
    has: (row: Row): boolean => ids.has(row.id),
    toggle: (row: Row): void => {
      const next = new Set(ids)
      if (next.has(row.id)) next.delete(row.id)
      else if (picked.length < max) next.add(row.id)
      setIds(next)
    },
    /** All of these, as far as there is room; none when all are picked already. */
    toggleAll: (): void =>
      setIds(picked.length === Math.min(rows.length, max) ? new Set() : new Set(rows.slice(0, max).map(row => row.id))),
    clear: (): void => setIds(new Set()),
  }
}
export type Picked<Row extends { id: string | number }> = ReturnType<typeof usePicked<Row>>
