export { getSubscription } from './get-subscription.ts'
export { type AccessColumns, accessAt, accessColumns, coveredMerchants, toAccessTerms } from './access.ts'
export { endingTrials } from './ending-trials.ts'
