export { budgetDays } from '../budget-use.ts'
export { filtersOf, type Listing } from './sql/listing.ts'
export { readOrderedIds, readPage } from './sql/read-page.ts'
