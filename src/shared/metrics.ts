import { type Amount, fromMicros, type Micros } from './money.ts'

/** `money` is decimal on the wire and micros on the server, `percent` is already in percent, `ratio` is a plain number. */
export type MetricUnit = 'money' | 'count' | 'percent' | 'ratio'

/** Whether more of it is better for the seller. */
export type BetterWhen = 'up' | 'down' | 'neither'

interface MeasuredMetric {
  label: string
  unit: 'money' | 'count'
  better: BetterWhen
  /** Says that there was none of it: the reason why a ratio over it is unknown. */
  none: string
  /** The marketplace attributes it to a click or view for days, so that each attribution window has a value of its own. */
  isAttributed: boolean
}

/**
 * Every metric that the marketplace measures. Fact tables, roll-ups, sums, response schemas, sort keys, labels, formats
 * and table columns derive from this list. Each one adds up over days and over entities. Its column in the database is
 * the name in snake case, with `_micros` after it for money. The names of the marketplace's columns are in
 * integrations/amazon-ads, because this list is part of the client.
 */
export const measuredMetrics = {
  impressions: {
    label: 'Impressions',
    unit: 'count',
    better: 'up',
    none: 'there were no impressions',
    isAttributed: false,
  },
  clicks: { label: 'Clicks', unit: 'count', better: 'up', none: 'there were no clicks', isAttributed: false },
  cost: { label: 'Ad spend', unit: 'money', better: 'neither', none: 'there was no spend', isAttributed: false },
  sales: { label: 'Ad sales', unit: 'money', better: 'up', none: 'there were no attributed sales', isAttributed: true },
  orders: { label: 'Orders', unit: 'count', better: 'up', none: 'there were no orders', isAttributed: true },
  units: { label: 'Units', unit: 'count', better: 'up', none: 'there were no units sold', isAttributed: true },
} as const satisfies Record<string, MeasuredMetric>

export type MeasuredName = keyof typeof measuredMetrics

interface DerivedMetric {
  label: string
  unit: 'money' | 'percent' | 'ratio'
  better: BetterWhen
  /** The first divided by the second, both summed: never a mean of ratios. Unknown where the second is 0. */
  formula: readonly [MeasuredName, MeasuredName]
  /** A row that has some of the first and none of the second is sorted as infinite, not as unknown. */
  isInfiniteOverZero?: true
}

/** Every metric that is worked out from measured ones. */
export const derivedMetrics = {
  ctr: { label: 'CTR', unit: 'percent', better: 'up', formula: ['clicks', 'impressions'] },
  cpc: { label: 'CPC', unit: 'money', better: 'down', formula: ['cost', 'clicks'] },
  cvr: { label: 'CVR', unit: 'percent', better: 'up', formula: ['orders', 'clicks'] },
  // Spend without sales is worse than any ACOS.
  acos: { label: 'ACOS', unit: 'percent', better: 'down', formula: ['cost', 'sales'], isInfiniteOverZero: true },
  roas: { label: 'ROAS', unit: 'ratio', better: 'up', formula: ['sales', 'cost'] },
} as const satisfies Record<string, DerivedMetric>

export type DerivedName = keyof typeof derivedMetrics
export type MetricName = MeasuredName | DerivedName

export const measuredNames = Object.keys(measuredMetrics) as MeasuredName[]
export const derivedNames = Object.keys(derivedMetrics) as DerivedName[]
export const metricNames: readonly MetricName[] = [...measuredNames, ...derivedNames]

interface Metric {
  label: string
  unit: MetricUnit
  better: BetterWhen
  /** Why the value may be unknown; absent from metrics that always have one. */
  unknownBecause?: string
}

/** How each metric is shown. */
export const metrics = Object.fromEntries([
  ...Object.entries<MeasuredMetric>(measuredMetrics),
  ...Object.entries<DerivedMetric>(derivedMetrics).map(([name, metric]) => [
    name,
    { ...metric, unknownBecause: `Not known: ${measuredMetrics[metric.formula[1]].none} in these days.` },
  ]),
]) as Record<MetricName, Metric>

type Money = { [N in MeasuredName]: (typeof measuredMetrics)[N]['unit'] extends 'money' ? N : never }[MeasuredName]
type Attributed = {
  [N in MeasuredName]: (typeof measuredMetrics)[N]['isAttributed'] extends true ? N : never
}[MeasuredName]
type FieldName<N extends MeasuredName> = N extends Money ? `${N}Micros` : N
type SumsOf<N extends MeasuredName> = { [K in N as FieldName<K>]: K extends Money ? Micros : number }

/** Sums of one currency; money in micros. */
export type FigureSums = SumsOf<MeasuredName>
/** The part of the sums that depends on the attribution window. */
export type AttributedSums = SumsOf<Attributed>
/** The other part. */
export type TrafficSums = SumsOf<Exclude<MeasuredName, Attributed>>
/** Sums as JSON carries them; money in decimals of the currency. */
export type Figures = { [N in MeasuredName]: N extends Money ? Amount : number }
/** Null where the divisor is 0. */
export type Ratios = {
  [N in DerivedName]: ((typeof derivedMetrics)[N]['unit'] extends 'money' ? Amount : number) | null
}

/** The name of a metric in sums: `clicks`, `costMicros`. */
export const fieldOf = (name: MeasuredName): keyof FigureSums =>
  (measuredMetrics[name].unit === 'money' ? `${name}Micros` : name) as keyof FigureSums

/** A record with a value for each name. */
export function fill<N extends string, V>(names: readonly N[], valueOf: (name: N) => V): Record<N, V> {
  const filled = {} as Record<N, V>
  for (const name of names) filled[name] = valueOf(name)
  return filled
}

// Marked as pure, so that the client's bundle, which never adds up, goes without them.
const fieldsOf = (isAttributed: boolean) =>
  measuredNames.filter(name => measuredMetrics[name].isAttributed === isAttributed).map(fieldOf)
/** The fields of the metrics that have a value for each attribution window. */
export const attributedFields = /* @__PURE__ */ fieldsOf(true) as (keyof AttributedSums)[]
/** The fields of the others. */
export const trafficFields = /* @__PURE__ */ fieldsOf(false) as (keyof TrafficSums)[]
const sumFields = (): (keyof FigureSums)[] => measuredNames.map(fieldOf)

/** Nothing happened: every sum is zero. */
export const noSums: Readonly<FigureSums> = /* @__PURE__ */ zeros()

function zeros(): FigureSums {
  return fill(sumFields(), () => 0)
}

/** Adds up sums of one currency. Micros are whole numbers, so nothing drifts. */
export function addSums(rows: readonly FigureSums[]): FigureSums {
  return fill(sumFields(), field => rows.reduce((total, row) => total + row[field], 0))
}

function ratioOf(name: DerivedName, values: Readonly<Record<MeasuredName, number>>): number | null {
  const { formula, unit } = derivedMetrics[name]
  const [dividend, divisor] = [values[formula[0]], values[formula[1]]]
  return divisor === 0 ? null : (dividend / divisor) * (unit === 'percent' ? 100 : 1)
}

/** Sums as JSON carries them, with their ratios: the one place where micros of metrics become decimals. */
export function toFigures(sums: FigureSums): Figures & Ratios {
  const micros = fill(measuredNames, name => sums[fieldOf(name)])
  const inDecimals = (unit: MetricUnit, value: number): number => (unit === 'money' ? fromMicros(value) : value)
  return {
    ...fill(measuredNames, name => inDecimals(measuredMetrics[name].unit, micros[name])),
    ...fill(derivedNames, name => {
      const ratio = ratioOf(name, micros)
      return ratio === null ? null : inDecimals(derivedMetrics[name].unit, ratio)
    }),
  }
}
