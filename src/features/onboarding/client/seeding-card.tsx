import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useEvents } from '#client/api/events/use-events.ts'
import { noteWin } from '#client/pwa/install-moment.ts'
import { FloatingCard } from '#client/ui/shell/floating-card.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { formatDayRange } from '#client/ui/figures/format.ts'
import type { SeedingItem } from '../contract.ts'
import { isUnderWay, retrySeeding, seedingQueries } from './queries.ts'

/** Watches the imports of connected accounts: a card while one is under way, fresh figures and a word when it ended. */
export function SeedingCard() {
  const client = useQueryClient()
  const { data } = useQuery(seedingQueries.active())
  const retry = useMutation(retrySeeding())
  const refresh = () => void client.invalidateQueries({ queryKey: seedingQueries.all })
  useEvents('/events', event => event.event === 'seeding' && refresh(), { onReconnect: refresh })
  useEnded(data, item => {
    void client.invalidateQueries({ predicate: query => query.meta?.figures === true })
    if (item.status === 'FAILED')
      toast({
        title: `${item.displayName} failed`,
        message: withDays(item.description),
        tone: 'danger',
        action: { label: 'Try again', onSelect: () => retry.mutate(item.id) },
      })
    else if (item.kind === 'DAILY_FIGURES') {
      noteWin()
      toast({ title: 'Your figures are here', message: item.displayName })
    }
  })
  const underWay = (data ?? []).filter(isUnderWay)
  const shown = underWay.find(item => item.status === 'IN_PROGRESS') ?? underWay[0]
  if (!shown) return null
  const more = underWay.length > 1 ? ` (${underWay.length - 1} more to come)` : ''
  return (
    <FloatingCard
      title={shown.displayName}
      description={withDays(shown.description) + more}
      progress={shown.progress}
    />
  )
}

/** The server names days as the contract does; a person reads them in the language of the device. */
const withDays = (text: string): string =>
  text.replace(/(\d{4}-\d\d-\d\d) to (\d{4}-\d\d-\d\d)/g, (_all, from: string, to: string) => formatDayRange(from, to))

/** Tells each import once, when it ended since the last answer. */
function useEnded(items: readonly SeedingItem[] | undefined, onEnded: (item: SeedingItem) => void) {
  const running = useRef(new Set<number>())
  const tell = useEffectEvent(onEnded)
  useEffect(() => {
    for (const item of items ?? []) {
      if (isUnderWay(item)) running.current.add(item.id)
      else if (running.current.delete(item.id)) tell(item)
    }
  }, [items])
}
