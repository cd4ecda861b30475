/** Where Home's calls live; by themselves, for the script that asks before the contract has come. */
export const homePaths = {
  cards: '/dashboard/cards',
  breakdown: '/dashboard/marketplace-breakdown',
  performance: '/dashboard/advertising-performance',
} as const
