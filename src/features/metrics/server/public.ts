export { curveOf, type HourlyCurve, type Pace, paceOf, type PastHour, projectMonth, shareBefore } from '../pace.ts'
export { importDays } from './import/import-days.ts'
export { ReportNotReady } from './import/read-report.ts'
export { reconcile } from './import/reconcile.ts'
export { receiveHours, subscribeHours } from './import/receive-hours.ts'
export { placeHours } from './import/place-hours.ts'
export { hasTrade, importProductTrade, importTrade, TradeNotMade, TradeNotReady } from './import/import-trade.ts'
export {
  attributionDays,
  type FigureState,
  figureStateOf,
  figureStates,
  type Freshness,
  freshnessOf,
  presentFreshness,
  profileFreshness,
  tradeAsOf,
} from './sql/freshness.ts'
export { type BudgetOfToday, budgetsOfToday, type CampaignToday, hoursOfCampaigns } from './sql/budget-pace.ts'
export { type CampaignHours, campaignHours } from './sql/budget-usage.ts'
export { type CampaignPast, campaignPast, settledSums } from './sql/campaign-past.ts'
export {
  type DayRow,
  daysOfAdType,
  daysOfCampaigns,
  daysOfPlaces,
  daysOfTargets,
  daysOfTerms,
  impressionsOfTargets,
  spentOn,
  weekHoursOf,
  type TermRow,
} from './sql/daily-rows.ts'
export { compareCampaigns } from './sql/compare-campaigns.ts'
export { columnsOfMetric, columnTotals, figuresOf, metricColumns, metricSortKey } from './sql/metric-columns.ts'
export type { RangeOptions } from './sql/running-sums.ts'
export {
  adGroupDays,
  campaignDays,
  figuresBy,
  figuresByPlace,
  productFigures,
  profileBreakdown,
  profileDays,
  totalsOf,
} from './sql/read-figures.ts'
export { type HourRange, hourlyState, readHours } from './sql/read-hours.ts'
export {
  importedTradeDays,
  type ProductDay,
  productDays,
  productSales,
  productSums,
  productTrends,
  tradeDaysByProduct,
} from './sql/read-products.ts'
export { type KeptAway, keptAwaySums } from './sql/kept-away.ts'
export { missingTradeDay, tradeDays, tradeSales } from './sql/replace-trade.ts'
export { differingDays, firstDay } from './sql/reconciliation.ts'
export { versionsOf } from './sql/revisions.ts'
export { type Band, type DayBand, type DaySums, settlingBand, settlingBands } from './sql/settling.ts'
export { searchTermsBy, settledClicksOfTerm, targetsOfTerm } from './sql/search-term-figures.ts'
export { hoursReceived } from './signals.ts'
