import { useQuery } from '@tanstack/react-query'
import { use, useState } from 'react'
import { formatMoney, formatNumber, formatPercent } from '#client/ui/figures/format.ts'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import { SheetInUse } from '#client/ui/overlays/sheets/sheet-stack.tsx'
import { Button } from '#client/ui/states/button.tsx'
import { QueryView } from '#client/ui/states/query-view.tsx'
import { OfflineState } from '#client/ui/states/state-views.tsx'
import { useShop } from '#features/accounts/client/public.ts'
import type { CreatePayloadInput } from '../../launch-schema.ts'
import type { LaunchPreview } from '../../review/preview-schema.ts'
import { autoGroups, groupMatches } from '../../templates.ts'
import { launchQueries } from '../queries.ts'
import { diagramCampaign } from '../wizard/structure-preview.ts'
import { problemsOfRejection } from '../wizard/use-launch.ts'

/** Fetches only while the sheet is in use; otherwise each change of the draft would fetch it again. */
export function usePreview(payload: CreatePayloadInput) {
  return useQuery({ ...launchQueries.preview(useShop(), payload), enabled: use(SheetInUse) })
}

export function Preview({ payload, go }: { payload: CreatePayloadInput; go: (step: number) => void }) {
  const query = usePreview(payload)
  const problem = problemsOfRejection(query.error)[0]
  return (
    <QueryView
      query={query}
      loading={{ rows: 3, kind: 'card', label: 'Calculating the preview' }}
      failedTitle="This launch needs a change"
      fallback={
        problem && (
          <Button tone="accent" block onClick={() => go(problem.step)}>
            Go to step {problem.step}: {problem.message}
          </Button>
        )
      }
      offline={
        <OfflineState
          title="The preview needs a connection"
          hint="Your draft is saved. The preview appears as soon as you are online."
        />
      }
    >
      {preview => <PreviewResult preview={preview} products={payload.products.length} />}
    </QueryView>
  )
}

type Range = LaunchPreview['forecast']['clicks']

/** Costs and results that the launch may have, and what it creates. `products` are advertised. */
export function PreviewResult({ preview, products }: { preview: LaunchPreview; products: number }) {
  const { currency, forecast, totals } = preview
  const money = (amount: number) => formatMoney(amount, currency)
  const range = ({ low, high }: Range, digits = 0) => `${formatNumber(low, digits)} – ${formatNumber(high, digits)}`
  return (
    <>
      <Card title="What it may cost">
        <KeyValue
          items={[
            { label: 'Maximum on a busy day', value: money(preview.busyDaySpend) },
            { label: 'Highest possible cost per click', value: money(preview.worstCaseCpc) },
            { label: 'Spend per week', value: `${money(forecast.spend.low)} – ${money(forecast.spend.high)}` },
            { label: 'Clicks per week', value: range(forecast.clicks) },
            {
              label: 'Orders per week',
              value: forecast.orders ? range(forecast.orders, 1) : '– (no conversion rate yet)',
            },
            { label: 'Target ACOS', value: formatPercent(preview.targetAcos) },
            { label: 'Break-even ACOS', value: breakEvenText(preview, products) },
          ]}
        />
        <p className="muted small">
          {forecast.source}. {forecast.caveat}
        </p>
      </Card>
      <Card title="What will be created">
        <StructureDiagram campaigns={preview.campaigns} />
        <KeyValue
          items={[
            { label: 'Campaigns', value: formatNumber(totals.campaigns) },
            { label: 'Ad groups', value: formatNumber(totals.adGroups) },
            { label: 'Product ads', value: formatNumber(totals.productAds) },
            { label: 'Keywords', value: formatNumber(totals.keywords) },
            { label: 'Targets', value: formatNumber(totals.targets) },
            { label: 'Negative keywords', value: formatNumber(totals.negativeKeywords) },
          ]}
        />
      </Card>
      <section aria-label="Structure" className="tree">
        {preview.campaigns.map(campaign => (
          <Branch key={campaign.name} campaign={campaign} currency={currency} />
        ))}
      </section>
    </>
  )
}

// One product with a lower margin would change the whole figure.
function breakEvenText({ breakEvenAcos, breakEvenKnownFor }: LaunchPreview, products: number): string {
  if (breakEvenAcos === null) return '– (COGS, fees or price unknown)'
  return breakEvenKnownFor < products
    ? `${formatPercent(breakEvenAcos)} (known for ${breakEvenKnownFor} of ${products} products)`
    : formatPercent(breakEvenAcos)
}

function StructureDiagram({ campaigns }: Pick<LaunchPreview, 'campaigns'>) {
  return (
    <ul className="diagram structure-diagram plain-list" aria-label="Structure diagram">
      {campaigns.map(({ name, adGroups }) => {
        const { title, groups } = diagramCampaign(adGroups)
        return (
          <li key={name} className="diagram-campaign">
            <b>{title}</b>
            {groups.map(group => (
              <i key={group}>{group}</i>
            ))}
          </li>
        )
      })}
    </ul>
  )
}

type Campaign = LaunchPreview['campaigns'][number]
type AdGroup = Campaign['adGroups'][number]

function Branch({ campaign, currency }: { campaign: Campaign; currency: string }) {
  const lines = campaign.adGroups.reduce((sum, group) => sum + linesOf(group).length, 0)
  // Many keywords are rendered only when the user opens their campaign.
  const [open, setOpen] = useState(lines <= 200)
  return (
    <details className="card" onToggle={event => event.currentTarget.open && setOpen(true)}>
      <summary>
        <strong>{campaign.name}</strong>
        <span className="muted small">
          {campaign.targetingType === 'AUTO' ? 'Automatic' : 'Manual'} · {formatMoney(campaign.budget, currency)} a day
          ({formatPercent(campaign.budgetShare, 1)}) · busy day up to {formatMoney(campaign.busyDaySpend, currency)}
          {campaign.clicksPerDay !== null && ` · about ${formatNumber(campaign.clicksPerDay, 1)} clicks a day`}
        </span>
      </summary>
      {open && (
        <>
          <p className="muted small">
            {campaign.biddingStrategy === 'SALES_UP_AND_DOWN'
              ? 'The marketplace may raise or lower bids depending on the chance of a sale.'
              : 'The marketplace may only lower bids.'}
            {campaign.topOfSearchPercent > 0 &&
              ` Top of search: up to ${formatPercent(campaign.topOfSearchPercent)} more.`}{' '}
            Highest possible cost per click: {formatMoney(campaign.worstCaseCpc, currency)}.
          </p>
          {campaign.adGroups.map(group => (
            <Group key={group.name} group={group} currency={currency} />
          ))}
        </>
      )}
    </details>
  )
}

function brandOf({ phase }: AdGroup, isOwnBrand: boolean): string[] {
  if (phase === 'COMPETITORS') return ['competitor']
  return isOwnBrand || phase === 'OWN_BRAND' ? ['own brand'] : []
}

function linesOf(group: AdGroup) {
  return [
    ...group.keywords.map(k => ({
      ...k,
      key: `k ${k.keyword}`,
      name: k.keyword,
      detail: [groupMatches[k.matchType], ...brandOf(group, k.isOwnBrand)].join(' · '),
    })),
    ...group.autoTargets.map(t => ({ ...t, key: `a ${t.group}`, name: autoGroups[t.group], detail: 'Automatic' })),
    ...group.targets.map(t => ({ ...t, key: `t ${t.value}`, name: t.name ?? t.value, detail: groupMatches[t.match] })),
  ]
}

function Group({ group, currency }: { group: AdGroup; currency: string }) {
  const excluded = [
    { kind: 'negative exact', terms: group.negativeKeywords },
    { kind: 'negative phrase', terms: group.negativePhrases },
  ]
  return (
    <div className="tree-group">
      <h3>{group.name}</h3>
      <p className="muted small">
        Default bid {formatMoney(group.defaultBid, currency)} · advertises{' '}
        {group.products.map(p => p.title ?? p.asin).join(', ')}
      </p>
      <ul className="plain-list">
        {linesOf(group).map(line => (
          <li key={line.key} className="tree-line">
            <span>
              {line.name} <span className="tag">{line.detail}</span>
              <small className="muted">{line.why}</small>
            </span>
            <span className="tree-bid">
              {formatMoney(line.bid, currency)}
              <small className="muted">at most {formatMoney(line.worstCaseCpc, currency)}</small>
            </span>
          </li>
        ))}
      </ul>
      {excluded.map(
        ({ kind, terms }) =>
          terms.length > 0 && (
            <p key={kind} className="small">
              <strong>
                Excluded ({kind}, {terms.length}):
              </strong>{' '}
              {terms.join(', ')}
            </p>
          ),
      )}
    </div>
  )
}
