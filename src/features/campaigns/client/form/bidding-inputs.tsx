import { useInfiniteQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { formatMoney, formatNumber } from '#client/ui/figures/format.ts'
import { ChoiceCards } from '#client/ui/forms/choices.tsx'
import { NumberField } from '#client/ui/forms/number-field.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { type Campaign, campaignFields } from '#features/structure/contract.ts'
import {
  choosesPlacements,
  type Placement,
  placementRange,
  placements,
  placementsOf,
  settableStrategies,
  worstCaseClick,
} from '#shared/campaign-rules.ts'
import { campaignQueries } from '../queries.ts'
import type { Draft } from './entity-form.tsx'
import { formatField, placementLabels, strategies } from './field-labels.ts'

/** What the form holds: the fields of a campaign, and the percentage of each placement under its name. */
export type CampaignDraft = Draft & Record<Placement, number | null>

// With some strategies the marketplace chooses the placements by itself.
export function adjustedPlacements(values: Record<string, unknown>): { placement: Placement; percentage: number }[] {
  if (choosesPlacements(String(values['biddingStrategy']))) return []
  return placements.flatMap(placement => {
    const percentage = Number(values[placement])
    return percentage ? [{ placement, percentage }] : []
  })
}

// A strategy that cannot be set here is shown while it is the current one.
function strategiesFor({ adType, biddingStrategy }: Campaign) {
  const settable = settableStrategies(adType).map(value => ({ value: value as string, ...strategies[value] }))
  if (biddingStrategy === null || settable.some(one => one.value === biddingStrategy)) return settable
  const hint = 'Set at the marketplace. Leave it selected to keep it.'
  const current = { hint, ...(strategies as Record<string, { hint: string } | undefined>)[biddingStrategy] }
  const label = formatField('biddingStrategy', campaignFields.biddingStrategy, biddingStrategy, '')
  return [...settable, { ...current, value: biddingStrategy, label }]
}

interface BiddingInputsProps {
  campaign: Campaign
  /** What the form holds of the strategy, spread into its input. */
  strategy: Pick<ComponentProps<typeof ChoiceCards<string>>, 'name' | 'onChange'>
  field: PlacementInputsProps['field']
  values: CampaignDraft
  shop: Shop
}

/** How a campaign bids: its strategy, what it bids more at each placement, and what a click may cost with both. */
export function BiddingInputs({ campaign, strategy, field, values, shop }: BiddingInputsProps) {
  const chosen = String(values['biddingStrategy'])
  return (
    <>
      <ChoiceCards
        legend={campaignFields.biddingStrategy.label}
        {...strategy}
        value={chosen}
        options={strategiesFor(campaign)}
      />
      {!choosesPlacements(chosen) && <PlacementInputs adType={campaign.adType} field={field} />}
      <WorstCase campaign={campaign} values={values} shop={shop} />
    </>
  )
}

interface PlacementInputsProps {
  adType: string
  field: (
    placement: Placement,
  ) => Pick<ComponentProps<typeof NumberField>, 'name' | 'value' | 'error' | 'onChange' | 'onBlur'>
}

/** How much higher a campaign bids at each placement that its ad type has. */
function PlacementInputs({ adType, field }: PlacementInputsProps) {
  const { least, most } = placementRange(adType)
  return (
    <fieldset className="placements">
      <legend>{least < 0 ? 'Bid more or less by placement' : 'Bid more by placement'}</legend>
      <p className="field-help">
        On top of each bid, from {least} to {most}%.
      </p>
      {placementsOf(adType).map(placement => (
        <NumberField key={placement} label={placementLabels[placement]} digits={0} suffix="%" {...field(placement)} />
      ))}
    </fieldset>
  )
}

interface WorstCaseProps {
  campaign: Campaign
  values: CampaignDraft
  shop: Shop
}

/** What a click may cost with the strategy and placements of the form, by the highest default bid of the campaign. */
function WorstCase({ campaign, values, shop }: WorstCaseProps) {
  const { data } = useInfiniteQuery(
    campaignQueries.adGroups(shop, { campaignId: campaign.id, sortBy: 'defaultBid', sortDir: 'desc' }),
  )
  if (campaign.costType === 'VCPM') return null
  const bidding = { biddingStrategy: String(values['biddingStrategy']), placements: adjustedPlacements(values) }
  const bid = data?.pages[0]?.content[0]?.defaultBid ?? null
  const times = worstCaseClick(1, bidding)
  return (
    <output className="worst-case">
      {times > 1 ? `A click may cost up to ${formatNumber(times, 2)} times its bid` : 'A click costs at most its bid'}
      {bid !== null && times > 1
        ? `: ${formatMoney(worstCaseClick(bid, bidding), campaign.currency)} at the highest default bid of ${formatMoney(bid, campaign.currency)}.`
        : '.'}
    </output>
  )
}
