/** When hours of the week are shown as sure, and when a sentence is made of them. Each number is shown with what it decides. */
export const hourlyConfig = {
  /** An hour of the week with fewer clicks is too thin to trust. */
  minClicks: 30,
  /** So many days make a full picture: each day of the week four times. */
  neededDays: 28,
  /** The newest hours are left out of all figures with orders: clicks are still corrected, and orders come in. */
  unsettledHours: 72,
  reading: {
    /** Each day of the week twice. */
    minDays: 14,
    /** Hours in a row that the sentence may be about. */
    minHours: 2,
    maxHours: 10,
    minClicks: 100,
    /** Orders that the spend would usually bring: below, chance explains too much. */
    minExpectedOrders: 10,
    /** How many standard deviations the orders must be away from those: of some 1,700 windows one is always lucky. */
    minSigma: 3.5,
    /** ACOS of the window against that of all other hours. */
    goodRatio: 0.75,
    badRatio: 1.4,
  },
} as const
