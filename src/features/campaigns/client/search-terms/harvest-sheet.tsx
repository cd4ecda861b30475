import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { failureMessage } from '#client/api/api-error.ts'
import { call, type CallOptions } from '#client/api/call.ts'
import { useOnline } from '#client/api/online.ts'
import type { EditKind } from '#client/outbox/flush-outbox.ts'
import type { NewEdit } from '#client/outbox/outbox.ts'
import { sendOrKeep } from '#client/outbox/send-or-keep.ts'
import { formatMoney } from '#client/ui/figures/format.ts'
import { CheckField } from '#client/ui/forms/choices.tsx'
import { MoneyField } from '#client/ui/forms/number-field.tsx'
import { Segment } from '#client/ui/forms/segment.tsx'
import { Sheet } from '#client/ui/overlays/sheet.tsx'
import { toast } from '#client/ui/shell/toast-store.ts'
import { Button } from '#client/ui/states/button.tsx'
import { adLimits, bidProblem, NO_BID } from '#shared/ad-limits.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { toMicros } from '#shared/money.ts'
import { type Shop, shopText, useShop } from '#features/accounts/client/public.ts'
import {
  type Harvested,
  harvestEndpoints as endpoints,
  type HarvestItem,
  type SuggestedBid,
} from '#features/search-terms/contract.ts'
import type { AdGroupRow } from '../../contract.ts'
import { useUndo } from '../changes/use-undo.ts'
import { matchWords } from '../form/field-labels.ts'
import { ActLine, outcomeNote } from '../negatives/previewed-negatives.tsx'
import { campaignQueries } from '../queries.ts'
import { AdGroupPicker, type PickedCampaign } from './ad-group-picker.tsx'
import type { TermRow } from './queries.ts'

const matches = [
  { value: 'EXACT', label: 'Exact' },
  { value: 'PHRASE', label: 'Phrase' },
  { value: 'BROAD', label: 'Broad' },
] as const
type Match = (typeof matches)[number]['value']
const undoMs = 15_000

const bidsQuery = (shop: Shop, rows: readonly HarvestRow[], adGroupId: number) =>
  queryOptions({
    queryKey: ['harvest-bids', shop, adGroupId, rows.map(row => row.term)],
    queryFn: ({ signal }) =>
      call(endpoints.bids, { body: { items: rows.map(({ term }) => ({ term, adGroupId })) } }, { signal }),
    meta: { silent: true },
  })

const sendHarvest = (items: HarvestItem[], options: CallOptions): Promise<Harvested> =>
  call(endpoints.harvest, { body: { items } }, options)

const termsText = (count: number): string => `${count} ${count === 1 ? 'term' : 'terms'}`

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
function useHarvest() {
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

// Automatic campaigns take no keywords; Display has none.
const takesKeywords = ({ adType, targetingType }: PickedCampaign): boolean =>
  adType !== 'SPONSORED_DISPLAY' && targetingType !== 'AUTO'

/** A search term or product that becomes a keyword or target. */
export interface HarvestRow extends Pick<TermRow, 'id' | 'term' | 'kind' | 'currency' | 'coverage' | 'coveredBy'> {
  /** Where it came in; null of a product that the user names. */
  source: Pick<TermRow, 'campaignId' | 'campaignName' | 'adGroupId' | 'adGroupName'> | null
}

interface HarvestSheetProps {
  rows: readonly HarvestRow[]
  onClose: () => void
  onDone: () => void
}

/** Makes keywords of search terms, at the suggested bid, and keeps the terms away from where they came in. */
export function HarvestSheet({ rows, onClose, onDone }: HarvestSheetProps) {
  const online = useOnline()
  const shop = useShop()
  const [adGroup, setAdGroup] = useState<AdGroupRow | null>(null)
  const [matchType, setMatchType] = useState<Match>('EXACT')
  const [negate, setNegate] = useState(true)
  const [typed, setTyped] = useState<Record<string, number | null>>({})
  const [outcomes, setOutcomes] = useState<Harvested['outcomes'] | null>(null)
  const { harvest, undoHarvest } = useHarvest()
  const suggested = useQuery({ ...bidsQuery(shop, rows, adGroup?.id ?? 0), enabled: online && adGroup !== null })
  const bidOf = (row: HarvestRow, place: number): number | null =>
    row.id in typed ? (typed[row.id] ?? null) : (suggested.data?.[place]?.bid ?? adGroup?.defaultBid ?? null)
  const check = useBidCheck(shop, adGroup)
  const problemOf = (row: HarvestRow, place: number): string | null => check(bidOf(row, place))
  const areBidsFine = rows.every((row, place) => problemOf(row, place) === null)
  const [first] = rows
  // Products that the user names came in nowhere.
  const isNamed = rows.every(({ source }) => source === null)

  const submit = async (): Promise<void> => {
    if (!adGroup) return
    const items = rows.map((row, place) => ({
      term: row.term,
      sourceAdGroupId: row.source?.adGroupId ?? adGroup.id,
      adGroupId: adGroup.id,
      matchType,
      bid: bidOf(row, place),
      // In its own ad group a negative would stop the new keyword.
      negateInSource: negate && row.source !== null && row.source.adGroupId !== adGroup.id,
    }))
    const sent = await harvest.mutateAsync({ items, adGroup }).catch(() => undefined)
    if (sent === undefined) return
    if (sent === null) {
      onDone()
      return onClose()
    }
    const { answer } = sent
    const created = answer.outcomes.filter(({ status }) => status === 'CREATED').length
    onDone()
    if (created)
      toast({
        title: isNamed ? 'Target added' : created === 1 ? 'Term harvested' : `${created} terms harvested`,
        message: `Into ${adGroup.name} · ${adGroup.campaignName}`,
        tone: 'success',
        durationMs: undoMs,
        action: { label: 'Undo', onSelect: () => void undoHarvest(answer) },
      })
    if (created === rows.length) return onClose()
    setOutcomes(answer.outcomes)
  }
  const what = termsText(rows.length)
  return (
    <Sheet
      open
      title={isNamed ? `Target ${first?.term}` : rows.length === 1 ? `Harvest “${first?.term}”` : `Harvest ${what}`}
      onClose={onClose}
      footer={
        outcomes ? (
          <Button tone="primary" onClick={onClose}>
            Close
          </Button>
        ) : (
          <Button
            tone="primary"
            busy={harvest.isPending}
            busyLabel={isNamed ? 'Adding...' : 'Harvesting...'}
            disabled={!adGroup || suggested.isLoading || !areBidsFine}
            onClick={() => void submit()}
          >
            {`${isNamed ? 'Add target' : `Harvest ${what}`}${online ? '' : ' once online'}`}
          </Button>
        )
      }
    >
      {!outcomes && (
        <>
          <AdGroupPicker
            shop={shop}
            label={isNamed ? 'Ad group that gets the target' : 'Ad group that gets the keywords'}
            value={adGroup}
            onChange={setAdGroup}
            isEligible={takesKeywords}
            help={`${isNamed ? 'Targets' : 'Keywords'} need an ad group of a campaign with manual targeting.`}
            {...(first?.source && { near: { id: first.source.campaignId, name: first.source.campaignName } })}
          />
          {rows.some(row => row.kind === 'TERM') && (
            <Segment label="Match type" value={matchType} options={matches} onChange={setMatchType} />
          )}
          {!isNamed && (
            <CheckField
              label="Negative exact in the source"
              help="The new keyword alone gets the search. The negative is sent once the keyword is accepted."
              checked={negate}
              onChange={setNegate}
            />
          )}
          {adGroup && <p className="act-summary">{summaryOf(rows, adGroup, matchType, negate)}</p>}
          {!online && <p aria-live="polite">You are offline: it is sent once you are online, at the bids below.</p>}
          {suggested.error && (
            <p className="field-help">
              No suggested bids: {failureMessage(suggested.error)} The default bid of the ad group is filled in.
            </p>
          )}
        </>
      )}
      <ul className="act-lines" aria-label="Terms to harvest">
        {rows.map((row, place) => (
          <ActLine
            key={row.id}
            name={row.kind === 'PRODUCT' ? row.term.toUpperCase() : row.term}
            detail={row.source ? `${row.source.campaignName} · ${row.source.adGroupName}` : undefined}
            note={outcomes ? outcomeNote(outcomes[place] ?? { status: 'INVALID', message: null }) : coveredNote(row)}
          >
            {!outcomes && adGroup && (
              <MoneyField
                label={rows.length === 1 ? 'Bid' : `Bid for ${row.term}`}
                name={`bid-${place}`}
                currency={row.currency}
                value={bidOf(row, place)}
                disabled={suggested.isLoading}
                error={suggested.isLoading ? undefined : shownProblem(problemOf(row, place), row.id in typed)}
                help={bidHelp(suggested.data?.[place], adGroup, row.currency, suggested.isLoading)}
                onChange={bid => setTyped(before => ({ ...before, [row.id]: bid }))}
              />
            )}
          </ActLine>
        ))}
      </ul>
    </Sheet>
  )
}

/** Why the chosen ad group takes no such bid: the limits are those of its ad type and of what its campaign pays for. */
function useBidCheck(shop: Shop, adGroup: AdGroupRow | null): (bid: number | null) => string | null {
  const campaign = useQuery({
    ...campaignQueries.one(shop, String(adGroup?.campaignId ?? 0)),
    enabled: adGroup !== null,
  }).data
  const market = marketplaceById(shop.marketplaceId)
  if (!market || !adGroup) return () => null
  const limits = adLimits(market, { adType: adGroup.adType, costType: campaign?.costType ?? null })
  // A bid for a thousand views may be higher than a day's budget.
  const budget = campaign?.costType === 'VCPM' ? null : campaign?.budget
  return bid => bidProblem(bid, limits, { budgetMicros: budget == null ? null : toMicros(budget) })
}

/** An input that nobody has touched does not complain that it is empty: the help below it says what to enter. */
const shownProblem = (problem: string | null, isTyped: boolean): string | undefined =>
  problem === null || (problem === NO_BID && !isTyped) ? undefined : problem

function coveredNote({ coverage, coveredBy }: HarvestRow) {
  if (coverage !== 'KEYWORD' || !coveredBy) return null
  return { tone: 'accent', text: `There is an exact keyword for it already, in ${coveredBy.campaignName}.` } as const
}

function bidHelp(bid: SuggestedBid | undefined, { defaultBid }: AdGroupRow, currency: string, isLoading: boolean) {
  if (isLoading) return 'Asking the marketplace for its suggestion…'
  const usual = defaultBid === null ? '' : `The default bid of the ad group is ${formatMoney(defaultBid, currency)}.`
  if (!bid || bid.bid === null) return [bid?.why, usual].filter(Boolean).join(' ')
  const { lowBid, highBid, why } = bid
  if (lowBid === null || highBid === null) return why
  return `${formatMoney(lowBid, currency)} to ${formatMoney(highBid, currency)}. ${why}`
}

/** What will happen, in one sentence. */
function summaryOf(rows: readonly HarvestRow[], adGroup: AdGroupRow, match: Match, negate: boolean): string {
  const products = rows.filter(row => row.kind === 'PRODUCT').length
  const words = rows.length - products
  const parts = [
    words > 0 && `${words} ${matchWords(match).toLowerCase()} ${words === 1 ? 'keyword' : 'keywords'}`,
    products > 0 && `${products} product ${products === 1 ? 'target' : 'targets'}`,
  ].filter(Boolean)
  const sources = new Set(
    rows.flatMap(({ source }) => (source && source.adGroupId !== adGroup.id ? [source.adGroupId] : [])),
  ).size
  const negated = negate && sources > 0
  const where = sources === 1 ? 'its ad group so far' : `the ${sources} ad groups so far`
  const own = negate && rows.some(({ source }) => source?.adGroupId === adGroup.id)
  return `“${adGroup.name}” gets ${parts.join(' and ')}${negated ? `, and ${where} ${sources === 1 ? 'no longer shows' : 'no longer show'} ads for ${rows.length === 1 ? 'the term' : 'the terms'}` : ''}.${own ? ' A term that came from this ad group itself is not negated there.' : ''}`
}
