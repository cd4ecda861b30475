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
