export { type AccessColumns, accessAt, accessColumns, accessOf, coveredMerchants } from './access.ts'
