import { type GuardQuestions, questionOf } from '#client/guarded.ts'
import { accountQueries } from './queries.ts'

/** What the guard asks of this feature. */
export const accountQuestions = {
  merchants: questionOf(accountQueries.merchants()),
  currentMerchant: questionOf(accountQueries.currentMerchant()),
  currentMarketplace: questionOf(accountQueries.currentMarketplace()),
} satisfies GuardQuestions
