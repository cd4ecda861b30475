import { fromMicros, toMicros } from '#shared/money.ts'

/** Least and most, in micros of the marketplace's currency. */
export interface MoneyRange {
  leastMicros: number
  mostMicros: number
}

type Row = [
  brandImageCpc: string,
  brandVideoCpc: string,
  brandImageVcpm: string,
  brandVideoVcpm: string,
  displayCpc: string | null,
  displayVcpm: string | null,
  brandDaily: string,
  brandLifetime: string,
  displayDaily: string | null,
  displayDailyOfVendors: string | null,
]

// As published in the advertising API's guide to limits, misprints and all (Turkey's video bids); Ireland has no
// Sponsored Display.
// biome-ignore format: one marketplace a line
const rows: Record<string, Row> = {
  MX: ['0.10/20000', '0.15/20000', '128/800000', '80/800000', '0.1/20000', '5/20000', '1/21000000', '1000/200000000', '1/21000000', '1/21000000'],
  UK: ['0.10/31', '0.15/31', '4/5000', '8/5000', '0.02/1000', '1/1000', '1/1000000', '100/20000000', '1/1000000', '1/50000'],
  DE: ['0.10/39', '0.15/39', '5/5000', '7/5000', '0.02/1000', '1/1000', '1/1000000', '100/20000000', '1/1000000', '1/50000'],
  CA: ['0.10/49', '0.15/49', '11/5000', '11/5000', '0.02/1000', '1/1000', '1/1000000', '100/20000000', '1/1000000', '1/50000'],
  AU: ['0.10/70', '0.15/70', '14/2800', '20/2800', '0.2/1000', '1/1000', '1.4/1500000', '141/28000000', '1.4/1500000', '1.4/1500000'],
  US: ['0.10/49', '0.25/49', '8/5000', '12/5000', '0.02/1000', '1/1000', '1/1000000', '100/20000000', '1/1000000', '1/50000'],
  FR: ['0.10/39', '0.15/39', '4/5000', '8/5000', '0.02/1000', '1/1000', '1/1000000', '100/20000000', '1/1000000', '1/50000'],
  ES: ['0.10/39', '0.15/39', '4/5000', '7/5000', '0.02/1000', '1/1000', '1/1000000', '100/20000000', '1/1000000', '1/50000'],
  IT: ['0.10/39', '0.15/39', '4/5000', '6/5000', '0.02/1000', '1/1000', '1/1000000', '100/20000000', '1/1000000', '1/50000'],
  NL: ['0.10/39', '0.15/39', '6/1560', '8/1560', '0.02/1000', '1/1000', '4/3700000', '367/74000000', '1/1000000', '1/1000000'],
  JP: ['10.0/7760', '15.0/7760', '560/310400', '800/310400', '2/100000', '100/100000', '100/21000000', '10000/21000000', '100/21000000', '100/5000000'],
  AE: ['0.40/184', '0.6/184', '44/7360', '28/7360', '0.2/3670', '1/3670', '4/3700000', '367/74000000', '4/3700000', '4/3700000'],
  BR: ['0.53/200', '0.8/25000', '37/8000', '53/8000', '0.07/3700', '2/3700', '4/3700000', '367/74000000', '1.32/5300000', '1.32/5300000'],
  SG: ['0.14/100', '0.2/1400', '6/4000', '29/4000', '0.14/1410', '4/1410', '4/3700000', '367/74000000', '4/1300000', '4/1300000'],
  SE: ['0.90/500', '1.30/500', '36/20000', '276/20000', '0.18/1000', '1/1000', '9/9400000', '900/187000000', '1/1000000', '1/1000000'],
  IN: ['1/500', '1.5/500', '84/80000', '200/80000', '1/5000', '4/5000', '100/21000000', '5000/200000000', '50/21000000', '50/5000000'],
  PL: ['0.2/200', '0.3/200', '92/8000', '180/8000', '0.02/1000', '1/1000', '2/2400000', '200/47000000', '1/1000000', '1/1000000'],
  TR: ['0.2/200', '0.3/200', '74/8000', '0.3/200', '0.05/2500', '1.85/2500', '2/2700000', '250/53000000', '2/2700000', '2/2700000'],
  EG: ['0.7/400', '1/400', '160/16000', '300/16000', '0.15/7400', '5/7400', '7/7600000', '750/151000000', '7/7600000', '7/7600000'],
  SA: ['0.40/184', '0.60/184', '28/7360', '40/7360', '0.10/3670', '4/3670', '4/3700000', '367/74000000', '4/3700000', '4/3700000'],
  BE: ['0.10/39', '0.15/39', '4/1560', '6/1560', '0.02/1000', '1/1000', '1/1000000', '100/20000000', '1/1000000', '1/1000000'],
  ZA: ['0.7/350', '1.1/350', '0.7/350', '1.1/350', '0.7/1000', '1.5/1000', '6/7000000', '650/140000000', '6/7000000', '6/7000000'],
  IE: ['0.10/39', '0.15/39', '4/1560', '6/1560', null, null, '1/1000000', '100/2000000', null, null],
}

function range(text: string | null | undefined): MoneyRange | null {
  if (!text) return null
  const [least = '0', most = '0'] = text.split('/')
  return { leastMicros: toMicros(least), mostMicros: toMicros(most) }
}

function rowOf(country: string): Row {
  const row = rows[country]
  if (!row) throw new Error(`no limits of ${country}`)
  return row
}

/** Bids that Sponsored Brands takes in a country (the marketplace's own code): by cost type, and higher for video. */
export function brandBidRange(country: string, costType: 'CPC' | 'VCPM', video: boolean): MoneyRange {
  const [imageCpc, videoCpc, imageVcpm, videoVcpm] = rowOf(country)
  const text = costType === 'CPC' ? (video ? videoCpc : imageCpc) : video ? videoVcpm : imageVcpm
  return range(text) as MoneyRange
}

/** Budgets that Sponsored Brands takes: for a day, or for the whole of a campaign. */
export function brandBudgetRange(country: string, budgetType: 'DAILY' | 'LIFETIME'): MoneyRange {
  const [, , , , , , daily, lifetime] = rowOf(country)
  return range(budgetType === 'DAILY' ? daily : lifetime) as MoneyRange
}

/** Bids that Sponsored Display takes; null where there is none. */
export const displayBidRange = (country: string, costType: 'CPC' | 'VCPM'): MoneyRange | null =>
  range(rowOf(country)[costType === 'CPC' ? 4 : 5])

/** Daily budgets that Sponsored Display takes from sellers and from vendors; null where there is none. */
export const displayBudgetRange = (country: string, isVendor: boolean): MoneyRange | null =>
  range(rowOf(country)[isVendor ? 9 : 8])

// biome-ignore format: a table
const defaults: Record<string, number> = {
  AU: 100, BR: 150, CA: 100, DE: 100, EG: 500, ES: 100, FR: 100, IN: 1000, IT: 100, JP: 10_000, SA: 400, MX: 150,
  NL: 100, PL: 100, SE: 100, SG: 300, TR: 300, BE: 100, UK: 100, AE: 400, US: 100, ZA: 100,
}

/** The daily budget of a Sponsored Display campaign whose item has none. */
export const displayDefaultBudgetMicros = (country: string): number => toMicros(defaults[country] ?? 0)

/** How long a campaign's name may be: vendors' are shorter. */
export const campaignNameLength = (isVendor: boolean): number => (isVendor ? 116 : 128)

/** The range as item errors write it. */
export function limitsOf({ leastMicros, mostMicros }: MoneyRange): { lowerLimit: string; upperLimit: string } {
  return {
    lowerLimit: String(fromMicros(leastMicros)),
    upperLimit: String(fromMicros(mostMicros)),
  }
}
