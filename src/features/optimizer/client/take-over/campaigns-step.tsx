import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOnline } from '#client/api/online.ts'
import { OfflineAge } from '#client/ui/figures/data-age.tsx'
import { formatMoney, formatNumber, formatPercent } from '#client/ui/figures/format.ts'
import { CheckField } from '#client/ui/forms/choices.tsx'
import { SearchField } from '#client/ui/forms/search-field.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { EmptyState } from '#client/ui/states/state-views.tsx'
import type { Shop } from '#features/accounts/client/public.ts'
import { MAX_CAMPAIGNS, type TakeoverCheck } from '../../contract.ts'
import { optimizerQueries } from '../queries.ts'

interface CampaignsStepProps {
  shop: Shop
  chosen: readonly number[]
  onChoose: (ids: readonly number[]) => void
  /** Where a draft was found: leaves it and begins with nothing. */
  onStartOver: (() => void) | undefined
}

/** Which campaigns are taken over together, with what each costs, and why some cannot be. */
export function CampaignsStep({ shop, chosen, onChoose, onStartOver }: CampaignsStepProps) {
  const online = useOnline()
  const [text, setText] = useState('')
  const query = useQuery(optimizerQueries.campaigns(shop))
  const searched = text.trim().toLowerCase()
  const [first] = useState(chosen)
  // Those that the user came with stay at the top.
  const open = (query.data ?? [])
    .filter(({ state, name }) => state !== 'ARCHIVED' && name.toLowerCase().includes(searched))
    .toSorted((a, b) => Number(first.includes(b.id)) - Number(first.includes(a.id)))
  const shown = open.slice(0, MAX_CAMPAIGNS)
  const { data: check } = useQuery(
    optimizerQueries.check(
      shop,
      shown.map(({ id }) => id),
    ),
  )
  const found = new Map(check?.campaigns.map(one => [one.id, one]))
  const isFull = chosen.length >= MAX_CAMPAIGNS
  const toggle = (id: number, isOn: boolean): void =>
    onChoose(isOn ? [...chosen, id] : chosen.filter(one => one !== id))
  return (
    <>
      <p className="take-over-lead">
        Choose campaigns that sell the same kind of product. They share one target ACOS and one daily budget.
      </p>
      {onStartOver && (
        <div className="notice">
          <span>You have an unfinished take-over.</span>
          <Button onClick={onStartOver}>Start over</Button>
        </div>
      )}
      <OfflineAge updatedAt={[query.dataUpdatedAt]} />
      <SearchField label="Search campaigns" value={text} onSearch={setText} />
      <QueryView
        query={query}
        loading={{ rows: 5, kind: 'line', label: 'Loading your campaigns' }}
        failedTitle="Your campaigns could not be loaded"
        empty={all => all.length === 0 && <EmptyState title="No campaigns yet" hint="Create or import one first." />}
      >
        {() => (
          <fieldset className="choices take-over-campaigns">
            <legend>{chosen.length === 0 ? 'Campaigns' : `Campaigns, ${formatNumber(chosen.length)} chosen`}</legend>
            {shown.map(({ id, name }) => {
              const one = found.get(id)
              const isOn = chosen.includes(id)
              return (
                <CheckField
                  key={id}
                  label={name}
                  help={
                    one
                      ? helpOf(one, check?.currency ?? 'USD')
                      : online
                        ? 'Its figures are being loaded…'
                        : 'Its figures load once you are online.'
                  }
                  checked={isOn}
                  disabled={!isOn && (isFull || (one !== undefined && one.problem !== null))}
                  onChange={next => toggle(id, next)}
                />
              )
            })}
            {shown.length === 0 && <p>No campaign matches “{text}”.</p>}
            {open.length > shown.length && (
              <p className="take-over-lead">
                {formatNumber(open.length - shown.length)} more: search for them by name.
              </p>
            )}
          </fieldset>
        )}
      </QueryView>
    </>
  )
}

/** Why a campaign cannot be taken over, else what it cost and at which ACOS. */
function helpOf({ problem, cost, acos, budget }: TakeoverCheck['campaigns'][number], currency: string): string {
  if (problem) return `Cannot be taken over: ${problem.message}`
  const day = budget === null ? null : `${formatMoney(budget, currency)} a day`
  const spent = cost > 0 ? `${formatMoney(cost, currency)} in 30 days` : 'nothing spent in 30 days'
  const at = acos === null ? (cost > 0 ? 'no sales' : null) : `ACOS\u00a0${formatPercent(acos, 1)}`
  return [day, spent, at].filter(Boolean).join(' · ')
}
