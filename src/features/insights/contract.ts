export {
  clocks,
  type ClockChoice,
  type HourCell,
  type HourFinding,
  hourlyEndpoints,
  weekdayNames,
} from './hourly-contract.ts'
