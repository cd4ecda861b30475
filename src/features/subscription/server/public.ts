export { endingTrials, getSubscription } from './get-subscription.ts'
export { type AccessColumns, accessAt, accessColumns, coveredMerchants, toAccessTerms } from './access.ts'
