import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#client/api/call.ts'
import { toast } from '#client/ui/shell/toast-store.ts'
import { useShop } from '#features/accounts/client/public.ts'
import { negativeEndpoints } from '#features/negatives/contract.ts'
import { campaignQueries } from '../queries.ts'
import { createNegatives, type NegativeDraft, removeNegatives, removeOne } from './negative-drafts.ts'

const undoMs = 10_000

function failureOf(drafts: readonly NegativeDraft[]): string {
  const isBrands = drafts.every(({ adType }) => adType === 'SPONSORED_BRANDS')
  if (drafts.some(({ targetType }) => targetType))
    return isBrands ? 'Failed to create Sponsored Brands negative target' : 'Failed to create negative target'
  return isBrands ? 'Failed to create Sponsored Brands negative keyword' : 'Failed to create negative keyword'
}

/** Adds, removes and retries negatives; lists show it at once, and each act can be undone for ten seconds. Without network they wait. */
export function useNegatives() {
  const shop = useShop()
  const client = useQueryClient()
  // The lists follow by themselves: nobody waits for them to say that it is done.
  const onSettled = () => void client.invalidateQueries({ queryKey: campaignQueries.all })
  const creating = useMutation({
    mutationFn: (drafts: readonly NegativeDraft[]) => createNegatives(shop, drafts),
    onSettled,
    meta: { errorTitle: (drafts: readonly NegativeDraft[]) => failureOf(drafts) },
  })
  const removing = useMutation({
    mutationFn: removeNegatives,
    onSettled,
    meta: { errorTitle: 'Failed to remove the negative' },
  })
  const removingOne = useMutation({
    mutationFn: (one: { id: number; name: string }) => removeOne(shop, one),
    onSettled,
    meta: { errorTitle: 'Failed to remove the negative' },
  })
  const retrying = useMutation({
    mutationFn: (id: number) => call(negativeEndpoints.retry, { params: { id } }),
    onSettled,
    meta: { errorTitle: 'Failed to send the negative again' },
  })

  const add = async (drafts: readonly NegativeDraft[]) => {
    const outcomes = await creating.mutateAsync(drafts)
    const ids = outcomes.flatMap(({ status, id }) => (status === 'CREATED' && id !== null ? [id] : []))
    if (ids.length)
      toast({
        title: ids.length === 1 ? 'Negative added' : `${ids.length} negatives added`,
        message: drafts.length === 1 ? (drafts[0]?.text ?? '') : '',
        tone: 'success',
        durationMs: undoMs,
        action: { label: 'Undo', onSelect: () => void removing.mutateAsync(ids).catch(() => undefined) },
      })
    return outcomes
  }
  /** `draft` is what would add it again. */
  const remove = async (id: number, name: string, draft: NegativeDraft | null): Promise<void> => {
    if (!(await removingOne.mutateAsync({ id, name }))) return
    toast({
      title: 'Negative removed',
      message: name,
      durationMs: undoMs,
      ...(draft && {
        action: { label: 'Undo', onSelect: () => void creating.mutateAsync([draft]).catch(() => undefined) },
      }),
    })
  }
  return { add, isAdding: creating.isPending, remove, retry: retrying.mutateAsync }
}
