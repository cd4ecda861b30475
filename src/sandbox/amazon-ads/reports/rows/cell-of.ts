import { type Cell, dimensionCells } from './dimension-cells.ts'
import { sumCellOf } from './sum-cells.ts'

// What the simulated marketplace does not have: budget rules, forecasts of value, and audiences that bids are raised for.
const absent = new Set([
  'campaignRuleBasedBudgetAmount',
  'campaignApplicableBudgetRuleId',
  'campaignApplicableBudgetRuleName',
  'longTermSales',
  'longTermROAS',
  'segmentName',
  'segmentClassCode',
])
// What happens to nobody here: books that are read or borrowed, lists, and what follows from a view without a click.
const never = /^(kindleEdition|addToList|qualifiedBorrows|royaltyQualifiedBorrows)|Views$|ViewViews$/

/** Writes a column's cells. Throws on a column that no report type has. */
export function cellOf(column: string): Cell {
  const cell = dimensionCells[column] ?? sumCellOf(column)
  if (cell) return cell
  if (absent.has(column)) return () => 'null'
  if (never.test(column)) return () => '0'
  throw new Error(`no cell for ${column}`)
}
