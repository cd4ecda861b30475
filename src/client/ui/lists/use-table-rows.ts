import type { RowData } from '@tanstack/react-table'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useRovingRows } from './use-roving-rows.ts'

const likelyHeight = 57

interface RowsOptions<T extends RowData> {
  items: readonly T[]
  itemKey: (item: T) => string | number
  selection: { toggle: (item: T, extend: boolean) => void } | undefined
  onEnd: (() => void) | undefined
}

// So few are all drawn: the browser's own search finds them.
const short = 30

/** The rows to draw with the room of the others, and what keys do in them. */
export function useTableRows<T extends RowData>(
  frame: RefObject<HTMLElement | null>,
  { items, itemKey, selection, onEnd }: RowsOptions<T>,
) {
  const [held, setHeld] = useState<number | null>(null)
  const isShort = items.length <= short
  // oxlint-disable-next-line react/incompatible-library -- no compiler runs here, and its values stay in this component
  const virtual = useVirtualizer({
    count: items.length,
    enabled: !isShort,
    getScrollElement: () => frame.current,
    estimateSize: () => likelyHeight,
    getItemKey: index => {
      const item = items[index]
      return item === undefined ? index : itemKey(item)
    },
    overscan: 8,
    // The row that has the focus stays drawn, or the focus would be lost.
    rangeExtractor: range => {
      const drawn = defaultRangeExtractor(range)
      return held === null || held >= items.length || drawn.includes(held)
        ? drawn
        : [...drawn, held].toSorted((a, b) => a - b)
    },
  })
  const drawn = virtual.getVirtualItems()
  const indexes = isShort ? items.map((_, index) => index) : drawn.map(({ index }) => index)
  const rows = indexes.flatMap(index => {
    const item = items[index]
    return item === undefined ? [] : [{ index, item }]
  })
  const last = indexes.at(-1) ?? -1
  const end = useEffectEvent(() => onEnd?.())
  useEffect(() => {
    if (items.length > 0 && last >= items.length - 5) end()
  }, [last, items.length])
  const roving = useRovingRows<HTMLTableSectionElement>({
    count: items.length,
    current: Math.min(held ?? indexes[0] ?? 0, items.length - 1),
    onHold: setHeld,
    reveal: index => !isShort && virtual.scrollToIndex(index, { align: 'auto' }),
    onSelect:
      selection &&
      ((index, extend) => {
        const item = items[index]
        if (item !== undefined) selection.toggle(item, extend)
      }),
  })
  return {
    rows,
    before: isShort ? 0 : (drawn[0]?.start ?? 0),
    after: isShort ? 0 : virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0),
    measure: isShort ? null : virtual.measureElement,
    roving,
  }
}
