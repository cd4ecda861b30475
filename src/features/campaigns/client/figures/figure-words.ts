import type { FigureKind } from '#client/ui/figures/format.ts'
import { figureColumns, type FigureColumn } from '../../list-queries.ts'

/** What each figure is called, what it counts, and why it may not be known. */
export const figureWords: Record<FigureColumn, { label: string; kind: FigureKind; reason?: string }> = {
  impressions: { label: 'Impressions', kind: 'count' },
  clicks: { label: 'Clicks', kind: 'count' },
  cost: { label: 'Ad spend', kind: 'money' },
  sales: { label: 'Ad sales', kind: 'money' },
  orders: { label: 'Orders', kind: 'count' },
  units: { label: 'Units', kind: 'count' },
  ctr: { label: 'CTR', kind: 'percent', reason: 'Not known: there were no impressions in these days.' },
  cpc: { label: 'CPC', kind: 'money', reason: 'Not known: there were no clicks in these days.' },
  cvr: { label: 'CVR', kind: 'percent', reason: 'Not known: there were no clicks in these days.' },
  acos: { label: 'ACOS', kind: 'percent', reason: 'Not known: there were no attributed sales in these days.' },
  roas: { label: 'ROAS', kind: 'ratio', reason: 'Not known: nothing was spent in these days.' },
}

export const figureOptions = figureColumns.map(value => ({ value, label: figureWords[value].label }))
