export { managersOnly } from './managers-only.ts'
export { managingQueries } from './queries.ts'
