export { importDays, ReportNotReady } from './import/import-days.ts'
export { type Freshness, profileFreshness } from './sql/freshness.ts'
export {
  adGroupDays,
  campaignDays,
  type FigureSums,
  figuresBy,
  profileBreakdown,
  profileDays,
  profileTotals,
} from './sql/read-figures.ts'
