import { type MetricName, metricNames, metrics, type MetricUnit } from '#shared/metrics.ts'

// Apart from the contract: the route of the page needs these names on every first visit.
/** What products are compared by besides the figures of their ads. */
const ownFigures = {
  totalSales: { label: 'Total sales', unit: 'money' },
  totalUnits: { label: 'Units sold', unit: 'count' },
  tacos: { label: 'TACOS', unit: 'percent' },
  profit: { label: 'Profit after ads', unit: 'money' },
  available: { label: 'Stock', unit: 'count' },
  coverDays: { label: 'Days of cover', unit: 'count' },
} satisfies Record<string, { label: string; unit: MetricUnit }>
export type AsinFigure = MetricName | keyof typeof ownFigures
export const asinFigures = { ...metrics, ...ownFigures } as Record<AsinFigure, { label: string; unit: MetricUnit }>
export const asinFigureNames = [...metricNames, ...(Object.keys(ownFigures) as (keyof typeof ownFigures)[])] as const
/** What the list can be ordered by. */
export const asinColumns: readonly ['title', ...AsinFigure[]] = ['title', ...asinFigureNames]
export type AsinColumn = (typeof asinColumns)[number]
