import { formatMoney, formatNumber, formatPercent } from '#client/ui/figures/format.ts'
import { Card, KeyValue } from '#client/ui/lists/card.tsx'
import type { LaunchPreview } from '../../contract.ts'
import { diagramCampaign } from '../wizard/structure-preview.ts'

interface PreviewFiguresProps {
  preview: LaunchPreview
  /** The number of advertised products. */
  products: number
}

/** Costs and results that the launch may have, and the number of entities that it creates. */
export function PreviewFigures({ preview, products }: PreviewFiguresProps) {
  const { currency, forecast, totals } = preview
  const money = (amount: number) => formatMoney(amount, currency)
  return (
    <>
      <Card title="What it may cost">
        <KeyValue
          items={[
            { label: 'Maximum on a busy day', value: money(preview.busyDaySpend) },
            { label: 'Highest possible cost per click', value: money(preview.worstCaseCpc) },
            { label: 'Spend per week', value: `${money(forecast.spend.low)} – ${money(forecast.spend.high)}` },
            {
              label: 'Clicks per week',
              value: `${formatNumber(forecast.clicks.low)} – ${formatNumber(forecast.clicks.high)}`,
            },
            {
              label: 'Orders per week',
              value: forecast.orders
                ? `${formatNumber(forecast.orders.low, 1)} – ${formatNumber(forecast.orders.high, 1)}`
                : '– (no conversion rate yet)',
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

/** The planned campaigns as boxes, with their ad groups as labels in them. */
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
