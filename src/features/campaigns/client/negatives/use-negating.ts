import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { useShop } from '#features/accounts/client/public.ts'
import { type NegativeDraft, type NegativeOutcome, negativesPreview } from './negative-drafts.ts'
import { useNegatives } from './use-negatives.ts'

/** Negatives that are looked at before they are added: what each would do, and afterwards what became of it. */
export function useNegating(
  drafts: readonly NegativeDraft[],
  { onClose, onDone }: Record<'onClose' | 'onDone', () => void>,
) {
  const online = useOnline()
  const shop = useShop()
  const [outcomes, setOutcomes] = useState<NegativeOutcome[] | null>(null)
  const { add, isAdding } = useNegatives()
  const isAsked = online && outcomes === null && drafts.length > 0
  const preview = useQuery({ ...negativesPreview(shop, drafts), enabled: isAsked })
  const items = preview.data?.items ?? []
  // What cannot be checked without network is judged by the server once it is sent.
  const isUnchecked = !online && !preview.data
  const news = drafts.flatMap((_, place) => (isUnchecked || items[place]?.status === 'NEW' ? [place] : []))
  /** How many running keywords they would stop. */
  const stops = news.reduce((sum, place) => sum + (items[place]?.blockedCount ?? 0), 0)

  const submit = async (): Promise<void> => {
    const answer = await add(news.map(place => drafts[place] as NegativeDraft)).catch(() => null)
    if (!answer) return
    onDone()
    if (answer.every(({ status }) => status !== 'INVALID')) return onClose()
    const all = drafts.map((_, place): NegativeOutcome => {
      const { status = 'INVALID', message = null } = items[place] ?? {}
      return { status: status === 'NEW' ? 'INVALID' : status, id: null, message }
    })
    news.forEach((place, index) => (all[place] = answer[index] ?? { status: 'INVALID', id: null, message: null }))
    setOutcomes(all)
  }
  return { online, isUnchecked, preview, items, news, stops, outcomes, isAdding, submit }
}
