import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, type CallOptions } from '#client/api/call.ts'
import type { EditKind } from '#client/outbox/flush-outbox.ts'
import type { NewEdit } from '#client/outbox/outbox.ts'
import { sendOrKeep } from '#client/outbox/send-or-keep.ts'
import { formatMoney } from '#client/ui/figures/format.ts'
import { NO_BID } from '#shared/ad-limits.ts'
import { type Shop, shopText, useShop } from '#features/accounts/client/public.ts'
import { type Harvested, harvestEndpoints as endpoints, type HarvestItem } from '#features/search-terms/contract.ts'
import type { AdGroupRow } from '../../contract.ts'
import { useUndo } from '../changes/use-undo.ts'
import { campaignQueries } from '../queries.ts'

const sendHarvest = (items: HarvestItem[], options: CallOptions): Promise<Harvested> =>
  call(endpoints.harvest, { body: { items } }, options)

export const termsText = (count: number): string => `${count} ${count === 1 ? 'term' : 'terms'}`

// Nothing else makes edits of this kind.
const itemsOf = (set: Record<string, unknown>): HarvestItem[] => set.items as HarvestItem[]

/** What the outbox knows of a harvest: the bids may be changed before it is sent. */
export const harvestKind: EditKind = {
  send: async ({ id, set, user, shop }) => {
    const { outcomes } = await sendHarvest(itemsOf(set), { idempotencyKey: id, onlyAs: user, shop })
    const failed = outcomes.filter(({ status }) => status === 'INVALID')
    if (failed.length > 0)
      return `${failed.length} of ${termsText(outcomes.length)} could not be harvested: ${failed[0]?.message ?? 'the marketplace takes no such keyword.'}`
  },
  fields: ({ set, currency = 'USD' }) =>
    itemsOf(set).map(({ term, bid }, index) => ({
      name: String(index),
      label: `Bid for ${term}`,
      value: bid,
      format: value => formatMoney(Number(value), currency),
      input: 'money',
      problemOf: value => (value === null || value <= 0 ? NO_BID : null),
    })),
  revise: ({ set, words }, values) => ({
    set: { items: itemsOf(set).map((item, index) => (index in values ? { ...item, bid: values[index] } : item)) },
    words,
  }),
}

function harvestNote(items: HarvestItem[], { name, campaignName, currency }: AdGroupRow, shop: Shop): NewEdit {
  return {
    kind: 'harvest',
    row: 0,
    isAct: true,
    name: items.length === 1 ? `“${items[0]?.term}”` : termsText(items.length),
    words: `Harvest into ${name} · ${campaignName}`,
    version: null,
    set: { items },
    was: {},
    shop: shopText(shop),
    href: '/search-terms',
    currency,
  }
}

/** Harvests, and undoes it; the lists follow. Without network it waits. */
export function useHarvest() {
  const shop = useShop()
  const client = useQueryClient()
  const onSettled = () => void client.invalidateQueries({ queryKey: campaignQueries.all })
  const harvest = useMutation({
    mutationFn: ({ items, adGroup }: { items: HarvestItem[]; adGroup: AdGroupRow }) =>
      sendOrKeep(harvestNote(items, adGroup, shop), idempotencyKey =>
        sendHarvest(items, { idempotencyKey, shop: shopText(shop) }),
      ),
    onSettled,
    meta: { errorTitle: 'Failed to harvest' },
  })
  const { undo } = useUndo()
  const undoHarvest = ({ groupId }: Harvested) => undo({ groupId }, { named: undoneHarvest })
  return { harvest, undoHarvest }
}

const undoneHarvest = {
  title: 'Harvest undone',
  message: 'Its keywords and negatives are archived. Harvest a term again to add it again.',
}
