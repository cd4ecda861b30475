import type { AdProduct } from '../../../market/market.ts'

export interface ReportGroup {
  columns: readonly string[]
  /** Values a filter may name, by its field. */
  filters: Readonly<Record<string, readonly string[]>>
}

/** Which columns, groups and filters a kind of report takes, and of which days. */
export interface ReportType {
  adProduct: AdProduct
  columns: readonly string[]
  groups: Readonly<Record<string, ReportGroup>>
  mostDays: number
  retentionDays: number
  formats: readonly string[]
}

export const words = (text: string): string[] => text.trim().split(/\s+/)

const windows = ['1d', '7d', '14d', '30d'] as const

/** Every name with every window of attribution. */
export const inEachWindow = (text: string): string[] =>
  words(text).flatMap(name => windows.map(window => name + window))

export const entityStates = ['ENABLED', 'PAUSED', 'ARCHIVED']
export const keywordTypes = words('BROAD PHRASE EXACT TARGETING_EXPRESSION TARGETING_EXPRESSION_PREDEFINED')

/** A group without extra columns or filters. */
export function group(columns = '', filters: ReportGroup['filters'] = {}): ReportGroup {
  return {
    columns: columns ? words(columns) : [],
    filters,
  }
}

/** The report of gross and invalid traffic, the same for each ad product. */
export function grossAndInvalids(adProduct: AdProduct): ReportType {
  return {
    adProduct,
    columns: words(`
    campaignName campaignStatus clicks date endDate grossClickThroughs grossImpressions impressions
    invalidClickThroughRate invalidClickThroughs invalidImpressionRate invalidImpressions startDate`),
    groups: { campaign: group('', { campaignStatus: entityStates }) },
    mostDays: 365,
    retentionDays: 365,
    formats: ['GZIP_JSON', 'CSV'],
  }
}
