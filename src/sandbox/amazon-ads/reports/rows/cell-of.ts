import { type Cell, dimensionCells } from './dimension-cells.ts'
import { sumCellOf } from './sum-cells.ts'

// What the simulated marketplace lacks: budget rules, forecasts of value, and audiences with raised bids.
const absent = new Set([
  'campaignRuleBasedBudgetAmount',
  'campaignApplicableBudgetRuleId',
  'campaignApplicableBudgetRuleName',
  'longTermSales',
  'longTermROAS',
  'segmentName',
  'segmentClassCode',
])
// What never happens here: e-books that are read or borrowed, lists, and effects of a view without a click.
const never = /^(kindleEdition|addToList|qualifiedBorrows|royaltyQualifiedBorrows)|Views$|ViewViews$/

/** Writes a column's cells. Throws on a column that no report type has. */
export function cellOf(column: string): Cell {
  const cell = dimensionCells[column] ?? sumCellOf(column)
  if (cell) return cell
  if (absent.has(column)) return () => 'null'
  if (never.test(column)) return () => '0'
  throw new Error(`no cell for ${column}`)
}
