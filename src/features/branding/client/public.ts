export { brandingQueries } from './queries.ts'
