export { budgetDays } from '../budget-use.ts'
export { filtersOf, type Listing, readOrderedIds, readPage } from './sql/read-page.ts'
