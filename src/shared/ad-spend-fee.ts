import { currentRegion, numberFormat } from './region-format.ts'

/** The fewest cents of US dollars that the payment provider charges. Less is carried forward to the next invoice. */
export const leastChargeCents = 50
/** After how many days a month closes: clicks are found invalid for three days. */
export const closingDays = 4

const dollars = (amount: number): string =>
  numberFormat(currentRegion().locale, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: Number.isInteger(amount) ? 0 : 2,
    maximumFractionDigits: 2,
  }).format(amount)
const percentage = (percent: number): string =>
  numberFormat(currentRegion().locale, { style: 'percent', maximumFractionDigits: 10 }).format(percent / 100)

/**
 * How the fee on ad spend is worked out, in words: `2.5% of the ad spend above $5,000 a month`. The amount in USD, the
 * percentage in percent.
 */
export const feeInWords = ({
  minimumTaxablePrice,
  adSpendPercentage,
}: {
  minimumTaxablePrice: number
  adSpendPercentage: number
}): string => `${percentage(adSpendPercentage)} of the ad spend above ${dollars(minimumTaxablePrice)} a month`
