/** Where the guard's questions live; by themselves, for the script that asks before the contract has come. */
export const guardPaths = {
  merchants: '/profile',
  currentMerchant: '/profile/current',
  currentMarketplace: '/profile/marketplaces/current',
} as const
