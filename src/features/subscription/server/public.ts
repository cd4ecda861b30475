export { type AccessColumns, accessAt, accessColumns, coveredMerchants } from './access.ts'
