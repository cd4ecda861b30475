import './search-terms.css'
import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '#client/api/call.ts'
import { ChoiceCards } from '#client/ui/forms/choices.tsx'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { Skeleton } from '#client/ui/states/state-views.tsx'
import type { EndpointOutput } from '#shared/define-endpoint.ts'
import type { Shop } from '#features/accounts/client/public.ts'
import { structureEndpoints } from '#features/structure/contract.ts'
import { type AdGroupRow, campaignListEndpoints } from '../../contract.ts'
import { adTypeShort } from './term-words.ts'

const meta = { persist: 'idb', silent: true } as const

/** Every campaign in short, for pickers. */
export const pickQuery = (shop: Shop) =>
  queryOptions({
    queryKey: ['campaigns', 'pick', shop],
    queryFn: ({ signal }) => call(structureEndpoints.pick, {}, { signal }),
    meta,
  })
export type PickedCampaign = EndpointOutput<typeof structureEndpoints.pick>[number]

export const adGroupsQuery = (shop: Shop, filter: { campaignId?: number; adGroupId?: number; name?: string }) =>
  queryOptions({
    queryKey: ['campaigns', 'pick', 'ad-groups', shop, filter],
    queryFn: ({ signal }) =>
      call(campaignListEndpoints.adGroups, { query: { ...filter, size: 200, sortBy: 'cost' } }, { signal }),
    placeholderData: keepPreviousData,
    meta,
  })

/** Where the campaigns to choose from never reached this device. */
export const noCampaigns = 'Your campaigns are not saved on this device yet. They load once you are online.'

const shownCampaigns = 4
const shownAdGroups = 8

/** How many characters the names begin with in common: campaigns of one funnel are named alike. */
function alike(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}

const contains = (name: string, text: string): boolean => name.toLowerCase().includes(text.trim().toLowerCase())

/** Campaigns that may be chosen: those named by the text, those nearest to `near` first. */
export function useCampaignChoice(
  shop: Shop,
  text: string,
  isEligible: (campaign: PickedCampaign) => boolean,
  near?: { id: number; name: string },
) {
  const { data, isLoading } = useQuery(pickQuery(shop))
  const eligible = (data ?? []).filter(campaign => campaign.state !== 'ARCHIVED' && isEligible(campaign))
  const named = eligible
    .filter(({ name }) => contains(name, text))
    .toSorted((a, b) =>
      near
        ? Number(b.id === near.id) - Number(a.id === near.id) ||
          alike(b.name, near.name) - alike(a.name, near.name) ||
          a.name.localeCompare(b.name)
        : a.name.localeCompare(b.name),
    )
  return { isLoading, isMissing: data === undefined, eligible, named }
}

interface AdGroupPickerProps {
  shop: Shop
  label: string
  value: AdGroupRow | null
  onChange: (adGroup: AdGroupRow) => void
  isEligible: (campaign: PickedCampaign) => boolean
  /** The campaign that the choice starts from. */
  near?: { id: number; name: string }
  help?: ReactNode
}

/** Chooses an ad group: those of the campaign at hand and of its likes first, all others by their name or campaign. */
export function AdGroupPicker({ shop, label, value, onChange, isEligible, near, help }: AdGroupPickerProps) {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { isLoading, isMissing, eligible, named } = useCampaignChoice(shop, text, isEligible, near)
  const inCampaigns = useQueries({
    queries: named.slice(0, shownCampaigns).map(({ id }) => adGroupsQuery(shop, { campaignId: id })),
  })
  const byName = useQuery(adGroupsQuery(shop, text.trim() ? { name: text.trim() } : {}))
  if (value && !isOpen)
    return (
      <div className="picker-chosen">
        <span>
          <small>{label}</small>
          <strong>{value.name}</strong>
          <small>{value.campaignName}</small>
        </span>
        <Button onClick={() => setOpen(true)}>Change</Button>
      </div>
    )
  const allowed = new Map(eligible.map(campaign => [campaign.id, campaign]))
  const found = new Map(
    [...inCampaigns, byName]
      .flatMap(({ data }) => data?.content ?? [])
      .filter(row => allowed.has(row.campaignId) && row.state !== 'ARCHIVED')
      .map(row => [String(row.id), row]),
  )
  const shown = [...found.values()].slice(0, shownAdGroups)
  const isWaiting = isLoading || (!shown.length && [...inCampaigns, byName].some(query => query.isLoading))
  return (
    <div className="picker">
      <SearchField label="Search ad groups and campaigns" value={text} onSearch={setText} />
      {isWaiting ? (
        <Skeleton rows={2} label="Loading the ad groups" />
      ) : (
        <ChoiceCards
          legend={label}
          value={value ? String(value.id) : null}
          onChange={id => {
            const row = found.get(id)
            if (!row) return
            setOpen(false)
            onChange(row)
          }}
          options={shown.map(row => ({
            value: String(row.id),
            label: row.name,
            hint: `${adTypeShort[allowed.get(row.campaignId)?.adType ?? ''] ?? ''} · ${row.campaignName}${row.state === 'PAUSED' ? ' · paused' : ''}`,
          }))}
        />
      )}
      {!isWaiting && !shown.length && <p>{isMissing ? noCampaigns : <>No ad group matches. {help}</>}</p>}
    </div>
  )
}
