import { useState } from 'react'
import { formatMoney, formatNumber, formatPercent } from '#client/ui/figures/format.ts'
import type { LaunchPreview } from '../../contract.ts'
import { autoGroups, groupMatches } from '../../templates.ts'

type Campaign = LaunchPreview['campaigns'][number]
type AdGroup = Campaign['adGroups'][number]

/** The planned campaigns with their ad groups, targets and negatives. */
export function PreviewTree({ preview }: { preview: LaunchPreview }) {
  return (
    <section aria-label="Structure" className="tree">
      {preview.campaigns.map(campaign => (
        <Branch key={campaign.name} campaign={campaign} currency={preview.currency} />
      ))}
    </section>
  )
}

// More keywords are rendered only when the user opens their campaign.
const drawnAtOnce = 200

function Branch({ campaign, currency }: { campaign: Campaign; currency: string }) {
  const lines = campaign.adGroups.reduce((sum, group) => sum + linesOf(group).length, 0)
  const [open, setOpen] = useState(lines <= drawnAtOnce)
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
    ...group.autoTargets.map(t => ({
      ...t,
      key: `a ${t.group}`,
      name: autoGroups[t.group],
      detail: 'Automatic',
    })),
    ...group.targets.map(t => ({ ...t, key: `t ${t.value}`, name: t.name ?? t.value, detail: groupMatches[t.match] })),
  ]
}

function Group({ group, currency }: { group: AdGroup; currency: string }) {
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
      <ExcludedTerms kind="negative exact" terms={group.negativeKeywords} />
      <ExcludedTerms kind="negative phrase" terms={group.negativePhrases} />
    </div>
  )
}

function ExcludedTerms({ kind, terms }: { kind: string; terms: readonly string[] }) {
  return (
    terms.length > 0 && (
      <p className="small">
        <strong>
          Excluded ({kind}, {terms.length}):
        </strong>{' '}
        {terms.join(', ')}
      </p>
    )
  )
}
