export { type GroupStandard, keywordStandards } from './keyword-standards.ts'
export { exportSearchTerms, listSearchTerms } from './list-search-terms.ts'
