import { mutationOptions, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { chevronDownOutline, chevronUpOutline } from 'ionicons/icons'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { call } from '#client/api/call.ts'
import { useEvents } from '#client/api/events.ts'
import { noteWin } from '#client/pwa/install-moment.ts'
import { Icon } from '#client/ui/ionic/icon.tsx'
import { formatDayRange } from '#client/ui/figures/format.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { ProgressBar } from '#client/ui/states/progress-bar.tsx'
import { onboardingEndpoints, type SeedingItem } from '../contract.ts'

const isUnderWay = (item: SeedingItem): boolean => item.status === 'IN_PROGRESS' || item.status === 'PENDING'

const activeSeeding = queryOptions({
  queryKey: ['seeding', 'active'],
  queryFn: ({ signal }) =>
    call(onboardingEndpoints.activeSeeding, {}, { signal, shapeError: 'Failed to fetch seeding status' }),
  meta: { silent: true },
  refetchInterval: query => (query.state.data?.some(isUnderWay) ? 2000 : false),
})

const retrySeeding = mutationOptions({
  mutationFn: (id: number) => call(onboardingEndpoints.retrySeeding, { params: { id } }),
  onSettled: (_item, _error, _id, _result, { client }) => client.invalidateQueries(activeSeeding),
})

/** Watches the imports of connected accounts: a card while one is under way, fresh figures and a toast when it ended. */
export function SeedingCard() {
  const client = useQueryClient()
  const { data } = useQuery(activeSeeding)
  const [isSmall, setIsSmall] = useState(false)
  const retry = useMutation(retrySeeding)
  const refresh = () => void client.invalidateQueries(activeSeeding)
  useEvents('/events', event => event.event === 'seeding' && refresh(), { onReconnect: refresh })
  useEnded(data, item => {
    void client.invalidateQueries({ predicate: query => query.meta?.figures === true })
    if (item.status === 'FAILED')
      toast({
        title: `${item.displayName} failed`,
        message: item.description,
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
  const description = shown.days ? formatDayRange(shown.days.from, shown.days.to) : shown.description
  return (
    <aside
      className={isSmall ? 'floating-card import-card floating-small' : 'floating-card import-card'}
      aria-label={shown.displayName}
    >
      {!isSmall && (
        <output>
          <strong>{shown.displayName}</strong>
          <span>{description + more}</span>
        </output>
      )}
      <button
        type="button"
        className="icon-button"
        aria-label={isSmall ? 'Show what is imported' : 'Make small'}
        aria-expanded={!isSmall}
        onClick={() => setIsSmall(!isSmall)}
      >
        <Icon icon={isSmall ? chevronUpOutline : chevronDownOutline} />
      </button>
      <ProgressBar value={shown.progress} label={shown.displayName} />
    </aside>
  )
}

/** Reports each import once, when it ended since the last answer. */
function useEnded(items: readonly SeedingItem[] | undefined, onEnded: (item: SeedingItem) => void) {
  const running = useRef(new Set<number>())
  const report = useEffectEvent(onEnded)
  useEffect(() => {
    for (const item of items ?? []) {
      if (isUnderWay(item)) running.current.add(item.id)
      else if (running.current.delete(item.id)) report(item)
    }
  }, [items])
}
