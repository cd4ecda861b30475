export { type Access, accessAt, accessOf, coveredMerchants } from './access.ts'
export { type AccessColumns, accessColumns } from './sql.ts'
