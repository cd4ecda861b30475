export { type AccessColumns, accessAt, accessColumns, coveredMerchants, toAccessTerms } from './access.ts'
