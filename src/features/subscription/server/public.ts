export { readAccount } from './read-account.ts'
export { accessAt, requireAccess } from './require-access.ts'
export { type AccessColumns, accessColumns } from './sql.ts'
export { subscriptionOf } from './subscription-of.ts'
