export { budgetDays } from '../budget-use.ts'
export { filtersOf, type Listing, readOrderedIds } from './sql/listing.ts'
export { readPage } from './sql/read-page.ts'
