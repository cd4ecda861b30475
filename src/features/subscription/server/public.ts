export { requireAccess } from './require-access.ts'
export { subscriptionOf } from './subscription-of.ts'
