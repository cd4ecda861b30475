export { eligibilityWords, nameOf } from './product-words.ts'
export { catalogueQueries } from './queries.ts'
