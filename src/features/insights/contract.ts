export {
  type AsinChart,
  type AsinColumn,
  asinColumns,
  asinEndpoints,
  type AsinFigure,
  asinFigures,
  type AsinPage,
  type AsinRow,
} from './asin-contract.ts'
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
