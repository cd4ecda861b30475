/** The paths of Home's endpoints, apart from the contract for the script that calls them before the contract has loaded. */
export const homePaths = {
  start: '/dashboard/start',
  cards: '/dashboard/cards',
  breakdown: '/dashboard/marketplace-breakdown',
  performance: '/dashboard/advertising-performance',
  why: '/dashboard/why',
  budgets: '/dashboard/budgets',
  cardsFile: '/dashboard/cards/export',
  breakdownFile: '/dashboard/marketplace-breakdown/export',
  performanceFile: '/dashboard/advertising-performance/export',
} as const
