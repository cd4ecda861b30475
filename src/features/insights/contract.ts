export { type AsinColumn, asinColumns, type AsinFigure, asinFigures } from './asin-columns.ts'
export { type AsinChart, asinEndpoints, type AsinPage, type AsinRow } from './asin-contract.ts'
export {
  clocks,
  type ClockChoice,
  type HourCell,
  type HourFinding,
  hourlyEndpoints,
  weekdayNames,
} from './hourly-contract.ts'
export {
  type KeywordAct,
  keywordEndpoints,
  type KeywordRow,
  type NegativeImpact,
  type UnderperformingRow,
} from './keyword-contract.ts'
